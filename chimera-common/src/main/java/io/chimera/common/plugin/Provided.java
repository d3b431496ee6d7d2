package io.chimera.common.plugin;

import io.chimera.api.spi.Plugin;
import java.util.function.Supplier;

/**
 * Component provided by a plugin.
 *
 * @param <P> interface of the component
 * @param kind interface of the component
 * @param name name in the configuration
 * @param settings class of the settings
 * @param origin origin of the plugin
 * @param maker creates a new instance
 */
public record Provided<P extends Plugin>(
        Class<P> kind, String name, Class<? extends Record> settings, PluginOrigin origin, Supplier<P> maker) {
    /** Formats the component for messages: {@code aggregator 'ewma' of plugin ewma 1.0 (/…/plugins/ewma)}. */
    @Override
    public String toString() {
        return PluginKinds.word(kind) + " '" + name + "' of " + origin;
    }
}
