package io.chimera.node;

import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.ArchiveQuery;
import io.chimera.archive.server.ArchiveStore;
import io.chimera.archive.server.Askable;
import io.chimera.archive.server.ClusterArchive;
import io.chimera.archive.server.HttpPeers;
import io.chimera.archive.server.QueryService;
import io.chimera.archive.server.VolumeReport;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.archive.ArchiveKind;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.config.StoreConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.Metrics;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Stores of type archive of a node, with their query service over HTTP. */
final class NodeArchives implements Askable {
    /** Span length of the shared index. These stores share no index, so time is not divided into spans. */
    private static final long NO_SPANS_NS = 1;

    private final Path folder;
    private final Clock clock;
    private final Metrics metrics;
    private final Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);
    private final List<ArchiveStore> stores = new ArrayList<>();

    /** Creates the stores of a running node. */
    NodeArchives(NodeContext context) {
        this(context.dataDir(), context.clock(), context.metrics());
    }

    /** Creates stores for a check of a configuration; no store is opened. */
    NodeArchives(Path folder) {
        this(folder, new SystemClock(), new Metrics(""));
    }

    private NodeArchives(Path folder, Clock clock, Metrics metrics) {
        this.folder = folder;
        this.clock = clock;
        this.metrics = metrics;
    }

    /**
     * Creates a store without opening it.
     *
     * @param name name of the store in the configuration, for the error message
     * @throws ChimeraException when another store uses the same stream or one of the devices
     */
    ArchiveStore create(String name, StoreConfig config) {
        ArchiveStore store =
                new ArchiveStore(config.archive(), folder, config.batchRows(), config.timeout(), clock, counters);
        for (ArchiveStore other : stores) {
            if (other.stream().equals(store.stream())) {
                throw refusal(name, "stream", "stream '" + store.stream() + "'", "a stream");
            }
            if (!Collections.disjoint(other.devices(), store.devices())) {
                throw refusal(name, "devices", "devices " + config.archive().devices(), "devices");
            }
        }
        stores.add(store);
        return store;
    }

    private static ChimeraException refusal(String name, String key, String what, String remedy) {
        return new ChimeraException(
                Category.FATAL,
                "stores." + name + ".archive." + key + ": another store of type archive has " + what
                        + " too. Give each store "
                        + remedy
                        + " of its own: each store writes its own volume, and queries name a stream.");
    }

    /**
     * Returns the query service of the open stores by path; empty without stores. Announces the node as an archive node
     * of the cluster.
     *
     * @param opened closes the service before the stores
     */
    Map<String, HttpHandler> pages(NodeContext context, Cluster cluster, Opened opened) {
        if (stores.isEmpty()) {
            return Map.of();
        }
        HttpPeers peers = opened.add(
                new HttpPeers(new SecureRandom(), context.certificates().node())
                        .showing(context.config().node().token()));
        QueryService service = opened.add(new QueryService(this, QueryService.TIME_MAX_DEFAULT, clock, counters));
        service.serve(new ClusterArchive(cluster::view, peers, clock, counters), context.id());
        cluster.announce(new ArchiveMember(
                context.id(),
                context.ids().getAsLong(),
                context.http(),
                new ArchiveMember.IndexFormat(NO_SPANS_NS, ArchiveMember.NO_KEYS),
                0,
                stores.stream().flatMap(store -> store.kinds().stream()).collect(Collectors.toSet())));
        metrics.register("archive", counters);
        stores.forEach(store -> VolumeReport.register(metrics, "volume_" + store.stream(), store.volume()));
        return Map.of(QueryService.PATH, service);
    }

    @Override
    public ArchiveQuery<?> ask(Question question) {
        return named(question).orElseThrow(this::unnamed).ask(question);
    }

    @Override
    public ArchiveQuery<?> askForPeer(Question question, ArchiveKind kind) {
        ArchiveStore store = named(question).orElseGet(() -> {
            if (question.stream().isEmpty()) {
                throw unnamed();
            }
            return stores.get(0); // does not have the stream either
        });
        return store.askForPeer(question, kind);
    }

    private Optional<ArchiveStore> named(Question question) {
        return stores.size() == 1
                ? Optional.of(stores.get(0))
                : stores.stream()
                        .filter(store -> store.stream().equals(question.stream()))
                        .findFirst();
    }

    private ChimeraException unnamed() {
        return new ChimeraException(
                Category.WARN,
                "This node has several archives. Select one by its stream with 'stream': "
                        + stores.stream().map(ArchiveStore::stream).collect(Collectors.joining(", ")) + ".");
    }
}
