package io.chimera.node.config;

import io.chimera.archive.server.volume.ArchiveStore;
import io.chimera.common.agent.Clock;
import io.chimera.common.config.StoreConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Stores of type archive of one node: each has a stream and devices of its own. */
public final class ArchiveStores {
    private final Path folder;
    private final Clock clock;
    private final Counters<ArchiveCounter> counters;
    private final List<ArchiveStore> stores = new ArrayList<>();

    /**
     * Starts without stores.
     *
     * @param folder directory of the node
     * @param counters events of all stores
     */
    public ArchiveStores(Path folder, Clock clock, Counters<ArchiveCounter> counters) {
        this.folder = folder;
        this.clock = clock;
        this.counters = counters;
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

    /** Returns the stores in the order of their creation. */
    public List<ArchiveStore> all() {
        return Collections.unmodifiableList(stores);
    }
}
