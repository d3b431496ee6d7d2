package io.chimera.api.spi;

import java.util.Map;

/**
 * Name and settings of a plugin instance, passed to the plugin at its start.
 *
 * @param name name of the instance in the configuration, e.g. {@code kairos}
 * @param settings the instance's own keys from the configuration, without {@code type}; unmodifiable
 * @param bound the settings as the record declared by the plugin; {@link NoSettings} without such a declaration
 */
public record PluginContext(String name, Map<String, Object> settings, Record bound) {
    /**
     * Makes an unmodifiable copy of the settings.
     *
     * @param name name of the instance in the configuration
     * @param settings the instance's own keys
     * @param bound the settings as a record
     */
    public PluginContext {
        settings = Map.copyOf(settings);
    }

    /**
     * Creates a context for a plugin without a settings record.
     *
     * @param name name of the instance in the configuration
     * @param settings the instance's own keys
     */
    public PluginContext(String name, Map<String, Object> settings) {
        this(name, settings, new NoSettings());
    }

    /**
     * Returns the settings as the record declared by the plugin.
     *
     * @param <R> the record
     * @param type class of the record
     * @return the record, checked
     */
    public <R extends Record> R settings(Class<R> type) {
        return type.cast(bound);
    }
}
