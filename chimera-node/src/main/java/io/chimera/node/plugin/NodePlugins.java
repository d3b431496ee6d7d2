package io.chimera.node.plugin;

import io.chimera.api.spi.Store;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.plugin.PluginRegistry;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/** Plugins of a node: their folder, and the plugins shared by all members of a cluster. */
public final class NodePlugins {
    private NodePlugins() {}

    /** Returns the plugin folder: the configured folder, or else {@code plugins/} in the installation folder. */
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

    /**
     * Returns the digest of the configuration and of the plugins used by its pipelines; equal on all members of a
     * cluster.
     */
    public static ConfigurationDigest agreement(ChimeraConfig config, PluginRegistry registry) {
        return ConfigurationDigest.of(config.digest(), used(config, registry));
    }

    /** Returns the editions of the folder plugins used by pipelines, by folder name. */
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
