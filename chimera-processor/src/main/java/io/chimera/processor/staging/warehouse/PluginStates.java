package io.chimera.processor.staging.warehouse;

import org.jspecify.annotations.Nullable;

/** States of the aggregator plugins of a warehouse: one state per field and plugin, created by its first value. */
interface PluginStates {
    /** Folds a number into the state of every plugin; false when a limit is reached. */
    boolean fold(int field, double value, long timeNs);

    /**
     * Prepares the rehearsal of a record with a field, before any of its fields is rehearsed.
     *
     * @return whether {@link #rehearse} works for the field; if not, the caller rehearses the record on copies
     */
    boolean isReadyToRehearse(int field);

    /** Folds a number into the twin of every plugin's state, and leaves the states unchanged. */
    void rehearse(int field, double value, long timeNs);

    /** Drops the twins of a field after a rehearsal that failed. */
    void dropTwins(int field);

    /** Returns a copy of a plugin's state, made with the folding instance. */
    Object copy(int field, int plugin);

    /** Throws the exception that {@link #fold} would throw when storing a state. */
    void rehearseKeeping(int plugin, Object state);

    /** Returns the state of a plugin for a field, for reading; null when the field has no number. */
    @Nullable
    Object read(int field, int plugin);

    /** Drops all states and releases their memory; the caller releases the cells. */
    void clear();
}
