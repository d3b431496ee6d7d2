package io.chimera.api.spi;

import java.util.Map;

/**
 * What a plugin is given when it is opened.
 *
 * @param name name of the instance in the configuration, e.g. {@code kairos}
 * @param settings the instance's own keys from the configuration, without {@code type}; unmodifiable
 * @param bound the same as the record that the plugin declares; {@link NoSettings} where it declares none
 */
public record PluginContext(String name, Map<String, Object> settings, Record bound) {
    /**
     * Takes an unmodifiable copy of the settings.
     *
     * @param name name of the instance in the configuration
     * @param settings the instance's own keys
     * @param bound the same as a record
     */
    public PluginContext {
        settings = Map.copyOf(settings);
    }

    /**
     * A context for a plugin without a record of settings.
     *
     * @param name name of the instance in the configuration
     * @param settings the instance's own keys
     */
    public PluginContext(String name, Map<String, Object> settings) {
        this(name, settings, new NoSettings());
    }

    /**
     * The settings as the record that the plugin declares.
     *
     * @param <R> the record
     * @param type class of the record
     * @return the record, checked
     */
    public <R extends Record> R settings(Class<R> type) {
        return type.cast(bound);
    }
}
