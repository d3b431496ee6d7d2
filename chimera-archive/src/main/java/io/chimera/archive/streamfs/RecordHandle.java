package io.chimera.archive.streamfs;

/**
 * Where a record is. It may be stored, in 16 bytes, and used after any number of restarts: the check, keyed with the
 * volume's secret, tells a handle of this volume from one that is damaged, cut short or made up.
 *
 * @param location stream, block and place in the block; only the store reads it
 * @param check certifies the location
 */
public record RecordHandle(long location, long check) {
    /** Bytes of a handle that is stored. */
    public static final int LENGTH = 16;

    /** Whether both may lie in one block, so that {@link StreamReader#readAhead} can read them at once. */
    public boolean isBeside(RecordHandle other) {
        return HandleLayout.isSameBlock(location, other.location);
    }
}
