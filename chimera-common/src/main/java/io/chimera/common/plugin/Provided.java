package io.chimera.common.plugin;

import io.chimera.api.spi.Plugin;
import java.util.function.Supplier;

/**
 * Something that a plugin provides.
 *
 * @param <P> its interface
 * @param kind its interface
 * @param name by which the configuration chooses it
 * @param settings class of its settings
 * @param origin where it comes from
 * @param maker makes a new instance
 */
public record Provided<P extends Plugin>(
        Class<P> kind, String name, Class<? extends Record> settings, PluginOrigin origin, Supplier<P> maker) {
    /** What it is, for messages: {@code aggregator 'ewma' of plugin ewma 1.0 (/…/plugins/ewma)}. */
    @Override
    public String toString() {
        return PluginKinds.word(kind) + " '" + name + "' of " + origin;
    }
}
