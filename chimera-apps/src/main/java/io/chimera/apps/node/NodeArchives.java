package io.chimera.apps.node;

import io.chimera.apps.archive.ArchiveStore;
import io.chimera.apps.archive.QueryService;
import io.chimera.apps.archive.VolumeReport;
import io.chimera.archive.query.ArchiveQuery;
import io.chimera.archive.query.Question;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.config.StoreConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.Metrics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The stores of type archive of a node, and who answers questions to them over HTTP. */
final class NodeArchives {
    private final Path folder;
    private final Clock clock;
    private final Metrics metrics;
    private final Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);
    private final List<ArchiveStore> stores = new ArrayList<>();

    /** Of a node that runs. */
    NodeArchives(NodeContext context) {
        this(context.dataDir(), context.clock(), context.metrics());
    }

    /** Of a configuration that is looked at only: nothing is opened. */
    NodeArchives(Path folder) {
        this(folder, new SystemClock(), new Metrics(""));
    }

    private NodeArchives(Path folder, Clock clock, Metrics metrics) {
        this.folder = folder;
        this.clock = clock;
        this.metrics = metrics;
    }

    /**
     * A store that is not opened yet.
     *
     * @param name of the store in the configuration, for the message
     * @throws ChimeraException when another has its stream or one of its devices
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
                "stores." + name + ".archive." + key + ": another store of type archive has " + what + " too. Name "
                        + remedy
                        + " of its own for each: each writes a volume of its own, and questions name a stream.");
    }

    /**
     * Who answers questions to the stores, which are open; nobody without any.
     *
     * @param opened closes it, ahead of the stores
     */
    Map<String, HttpHandler> pages(Opened opened) {
        if (stores.isEmpty()) {
            return Map.of();
        }
        metrics.register("archive", counters);
        stores.forEach(store -> VolumeReport.register(metrics, "volume_" + store.stream(), store.volume()));
        return Map.of(
                QueryService.PATH,
                opened.add(new QueryService(this::ask, QueryService.TIME_MAX_DEFAULT, clock, counters)));
    }

    private ArchiveQuery<?> ask(Question question) {
        if (stores.size() == 1) {
            return stores.get(0).ask(question);
        }
        return stores.stream()
                .filter(store -> store.stream().equals(question.stream()))
                .findFirst()
                .orElseThrow(() -> new ChimeraException(
                        Category.WARN,
                        "This node has several archives; name the stream of one with 'stream': "
                                + stores.stream().map(ArchiveStore::stream).collect(Collectors.joining(", ")) + "."))
                .ask(question);
    }
}
