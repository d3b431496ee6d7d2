package io.chimera.api.spi;

import java.util.Map;

/**
 * What a plugin is given when it is opened.
 *
 * @param name name of the instance in the configuration, e.g. {@code kairos}
 * @param settings the instance's own keys from the configuration, without {@code type}; unmodifiable
 */
public record PluginContext(String name, Map<String, Object> settings) {
    /**
     * Takes an unmodifiable copy of the settings.
     *
     * @param name name of the instance in the configuration
     * @param settings the instance's own keys
     */
    public PluginContext {
        settings = Map.copyOf(settings);
    }
}
