package io.chimera.apps.node;

import io.chimera.api.spi.Store;
import io.chimera.common.cluster.Agreement;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.PipelineConfig;
import io.chimera.common.plugin.PluginRegistry;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/** The plugins of a node: where they lie, and those that the members of a cluster must agree on. */
public final class NodePlugins {
    private NodePlugins() {}

    /** The folder of the plugins: as configured, else {@code plugins/} beside this Chimera. */
    public static Path folder(ChimeraConfig config) {
        Path given = config.plugins().folder();
        return given.toString().isEmpty()
                ? Path.of(System.getProperty("chimera.home", ""), "plugins").toAbsolutePath()
                : given.toAbsolutePath();
    }

    /** Loads all plugins. */
    public static PluginRegistry load(ChimeraConfig config) {
        return PluginRegistry.load(folder(config), NodePlugins.class.getClassLoader());
    }

    /** What the members of the cluster must agree on: the configuration, and the plugins that its pipelines use. */
    static String agreement(ChimeraConfig config, PluginRegistry registry) {
        return Agreement.of(config.digest(), used(config, registry));
    }

    /** The plugins from folders that pipelines use: edition by name of the folder. */
    static SortedMap<String, String> used(ChimeraConfig config, PluginRegistry registry) {
        SortedMap<String, String> used = new TreeMap<>();
        for (PipelineConfig pipeline : config.pipelines().values()) {
            used.putAll(registry.used(pipeline));
            pipeline.stores().stream()
                    .filter(config.stores()::containsKey)
                    .flatMap(name ->
                            registry.find(Store.class, config.stores().get(name).type()).stream())
                    .filter(found -> found.origin().isFolder())
                    .forEach(found ->
                            used.put(found.origin().name(), found.origin().edition()));
        }
        return used;
    }
}
