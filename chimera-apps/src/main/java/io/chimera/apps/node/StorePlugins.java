package io.chimera.apps.node;

import io.chimera.api.spi.Store;
import io.chimera.common.config.StoreConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.processor.store.kairosdb.KairosDbStore;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** Makes the stores of a configuration: the one that is built in, and plugins by their names. */
final class StorePlugins {
    private StorePlugins() {}

    /**
     * A new store, not opened yet.
     *
     * @param name of the store in the configuration, for the message
     * @throws ChimeraException when there is no such kind of store
     */
    static Store create(String name, StoreConfig config) {
        if (config.type().equals(StoreConfig.KAIROSDB)) {
            return new KairosDbStore(config.url(), config.batchRows(), config.timeout(), config.gzip());
        }
        TreeSet<String> found = new TreeSet<>();
        found.add(StoreConfig.KAIROSDB);
        for (Store store : ServiceLoader.load(Store.class)) { // a new loader makes new instances
            if (!store.name().isEmpty() && store.name().equals(config.type())) {
                return store;
            }
            found.add(store.name());
        }
        found.remove("");
        throw new ChimeraException(
                ChimeraException.Category.FATAL,
                "stores." + name + ".type is '" + config.type() + "', but there is no such store (there is: "
                        + String.join(", ", found) + "). Correct it, or add the plugin that brings it.");
    }
}
