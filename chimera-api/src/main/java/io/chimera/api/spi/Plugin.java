package io.chimera.api.spi;

/**
 * What all plugins have: a name, and settings. Found by {@link java.util.ServiceLoader}, so it has a public class and a
 * public constructor without arguments, which does nothing that may fail.
 */
public interface Plugin {
    /**
     * Name by which the configuration chooses it, among the plugins of its kind.
     *
     * @return lower-case letters, digits and underscores
     */
    String name();

    /**
     * The plugin's own keys in the configuration, as the components of a record. They are bound and checked like the rest of the
     * file: a component {@code windowMax} is the key {@code window_max}, of type text, whole number ({@code Integer}, {@code
     * Long}), {@code Double}, {@code Boolean}, {@code Duration}, {@code Path}, an enum, a record, or a list or map of these. A key
     * that is not there is null; the record's constructor puts a default in its place, or throws an {@link
     * IllegalArgumentException} that says what is expected.
     *
     * @return a record class; {@link NoSettings} for a plugin without keys
     */
    default Class<? extends Record> settings() {
        return NoSettings.class;
    }
}
