package io.chimera.processor.staging.warehouse;

/** States of the aggregator plugins of a warehouse: one state per field and plugin, created by its first value. */
interface PluginStates {
    /** Folds a number into the state of every plugin; false when a limit is reached. */
    boolean fold(int field, double value, long timeNs);

    /** Returns a copy of a plugin's state, made with the folding instance. */
    Object copy(int field, int plugin);

    /** Throws the exception that {@link #fold} would throw when storing a state. */
    void rehearseKeeping(int plugin, Object state);

    /** Returns the state of a plugin for a field, for reading; null when the field has no number. */
    Object read(int field, int plugin);

    /** Drops all states and releases their memory; the caller releases the cells. */
    void clear();
}
