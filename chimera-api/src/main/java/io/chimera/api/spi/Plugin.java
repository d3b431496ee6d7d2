package io.chimera.api.spi;

/**
 * Base of all plugin kinds: a name and a settings record. {@link java.util.ServiceLoader} finds plugins, so a plugin
 * needs a public class and a public no-argument constructor. The constructor must not do work that can fail.
 */
public interface Plugin {
    /**
     * Returns the name that selects this plugin in the configuration, among the plugins of the same kind.
     *
     * @return lower-case letters, digits and underscores
     */
    String name();

    /**
     * Returns the record whose components are the plugin's own keys in the configuration.
     *
     * <p>The node binds and checks these keys like the rest of the file. A component {@code windowMax} is the key
     * {@code window_max}. Allowed types are text, whole number ({@code Integer}, {@code Long}), {@code Double}, {@code
     * Boolean}, {@code Duration}, {@code Path}, an enum, a record, and a list or map of the former. A missing key is
     * null: the constructor of the record replaces null by a default, or throws an {@link IllegalArgumentException}
     * with the expected value.
     *
     * @return a record class; {@link NoSettings} for a plugin without keys
     */
    default Class<? extends Record> settings() {
        return NoSettings.class;
    }
}
