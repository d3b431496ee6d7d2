package io.chimera.node.config;

import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.Store;
import io.chimera.common.config.StoreConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.security.Tls;
import io.chimera.processor.store.kairosdb.KairosDbStore;
import io.chimera.processor.store.postgresql.PostgresStore;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Creates the configured stores, from built-in types and plugins. */
public final class StorePlugins {
    private StorePlugins() {}

    /**
     * Creates a store without opening it.
     *
     * @param name name of the store in the configuration, for the error message
     * @param archives creates stores of type archive
     * @param tls certificates of the store's client
     * @throws ChimeraException when the store type is unknown
     */
    public static Store create(
            String name, StoreConfig config, PluginHost plugins, ArchiveStores archives, Optional<Tls> tls) {
        if (config.type().equals(StoreConfig.KAIROSDB)) {
            return new KairosDbStore(config.url(), config.batchRows(), config.timeout(), config.gzip(), tls);
        }
        if (config.type().equals(StoreConfig.POSTGRESQL)) {
            return new PostgresStore(config.url(), config.batchRows(), config.timeout(), config.postgresql(), tls);
        }
        if (config.type().equals(StoreConfig.ARCHIVE)) {
            return archives.create(name, config);
        }
        return plugins.store(config.type(), context(name, config, plugins), config.timeout())
                .orElseThrow();
    }

    private static Set<String> known(PluginHost plugins) {
        Set<String> names = new TreeSet<>(Set.of(StoreConfig.KAIROSDB, StoreConfig.POSTGRESQL, StoreConfig.ARCHIVE));
        names.addAll(plugins.names(Store.class));
        return names;
    }

    /** Returns the context for opening a store. */
    public static PluginContext context(String name, StoreConfig config, PluginHost plugins) {
        if (!config.isPlugin()) {
            return new PluginContext(name, config.settings().asMap());
        }
        return plugins.context(Store.class, config.type(), name, config.settings())
                .orElseThrow(() -> new ChimeraException(
                        ChimeraException.Category.FATAL,
                        "stores." + name + ".type is '" + config.type() + "', an unknown type (known types: "
                                + String.join(", ", known(plugins))
                                + "). Correct the type, or install its plugin."));
    }
}
