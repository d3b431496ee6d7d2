package io.chimera.common.config.binding;

/** Record with a component of type {@link Settings}, either of a built-in type or of a plugin. */
public interface Extensible {
    /** Returns whether the record belongs to a plugin, so its unknown keys may be keys of the plugin. */
    boolean isPlugin();
}
