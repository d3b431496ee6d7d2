package io.chimera.node.launch;

import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.ArchiveQuery;
import io.chimera.archive.server.ClusterArchive;
import io.chimera.archive.server.QueryService;
import io.chimera.archive.server.client.HttpPeers;
import io.chimera.archive.server.volume.ArchiveStore;
import io.chimera.archive.server.volume.Askable;
import io.chimera.archive.server.volume.VolumeReport;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.archive.ArchiveKind;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.node.config.ArchiveStores;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Stores of type archive of a node, with their query service over HTTP. */
final class NodeArchives implements Askable {
    /** Span length of the shared index. These stores share no index, so time is not divided into spans. */
    private static final long NO_SPANS_NS = 1;

    private final NodeContext context;
    private final Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);
    private final ArchiveStores stores;

    /** Starts without stores. */
    NodeArchives(NodeContext context) {
        this.context = context;
        stores = new ArchiveStores(context.dataDir(), context.clock(), counters);
    }

    /** Returns the stores; the query service answers from all stores created there. */
    ArchiveStores stores() {
        return stores;
    }

    /**
     * Returns the query service of the open stores by path; empty without stores. Announces the node as an archive node
     * of the cluster.
     *
     * @param opened closes the service before the stores
     */
    Map<String, HttpHandler> pages(Cluster cluster, Opened opened) {
        if (stores.all().isEmpty()) {
            return Map.of();
        }
        HttpPeers peers = opened.add(
                new HttpPeers(new SecureRandom(), context.certificates().node())
                        .showing(context.config().node().token()));
        QueryService service =
                opened.add(new QueryService(this, QueryService.TIME_MAX_DEFAULT, context.clock(), counters));
        service.serve(new ClusterArchive(cluster::view, peers, context.clock(), counters), context.id());
        cluster.announce(new ArchiveMember(
                context.id(),
                context.ids().getAsLong(),
                context.http(),
                new ArchiveMember.IndexFormat(NO_SPANS_NS, ArchiveMember.NO_KEYS),
                0,
                stores.all().stream().flatMap(store -> store.kinds().stream()).collect(Collectors.toSet())));
        context.metrics().register("archive", counters);
        stores.all()
                .forEach(store -> VolumeReport.register(context.metrics(), "volume_" + store.stream(), store.volume()));
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
            return stores.all().get(0); // does not have the stream either
        });
        return store.askForPeer(question, kind);
    }

    private Optional<ArchiveStore> named(Question question) {
        return stores.all().size() == 1
                ? Optional.of(stores.all().get(0))
                : stores.all().stream()
                        .filter(store -> store.stream().equals(question.stream()))
                        .findFirst();
    }

    private ChimeraException unnamed() {
        return new ChimeraException(
                Category.WARN,
                "This node has several archives. Select one by its stream with 'stream': "
                        + stores.all().stream().map(ArchiveStore::stream).collect(Collectors.joining(", ")) + ".");
    }
}
