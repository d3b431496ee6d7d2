package io.chimera.common.config;

/** A record with a component of type {@link Settings}, whose type may be built in or a plugin's. */
interface Extensible {
    /** Whether it is a plugin's, so that keys which the record does not know may be the plugin's. */
    boolean isPlugin();
}
