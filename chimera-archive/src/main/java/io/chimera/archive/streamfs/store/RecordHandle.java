package io.chimera.archive.streamfs.store;

/**
 * Location of a record. A handle may be stored, in 16 bytes, and used after any number of restarts. The check, keyed
 * with the volume's secret, rejects damaged, truncated and forged handles.
 *
 * @param location stream, block and place in the block; interpreted by the store only
 * @param check MAC of the location
 */
public record RecordHandle(long location, long check) {
    /** Lowest bits of a location, with the place of the record within its block. */
    public static final int PLACE_BITS = 20;

    /** Length of a stored handle in bytes. */
    public static final int LENGTH = 16;

    /** Returns true if both records may lie in one block and {@link StreamReader#readAhead} can read them at once. */
    public boolean isBeside(RecordHandle other) {
        return location >>> PLACE_BITS == other.location >>> PLACE_BITS;
    }
}
