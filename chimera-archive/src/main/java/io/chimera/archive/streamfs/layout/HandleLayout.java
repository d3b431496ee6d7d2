package io.chimera.archive.streamfs.layout;

import static io.chimera.archive.streamfs.layout.VolumeLayout.RECORD_ALIGNMENT;
import static io.chimera.archive.streamfs.store.RecordHandle.PLACE_BITS;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Layout of a record handle.
 *
 * <pre>
 * location:  stream 12 | number of the block, low 32 bits | offset in the block / 32, 15 bits | size class 5
 * check:     MAC of the location, 32 bits | MAC of the record, low 32 bits
 * </pre>
 *
 * <p>The first half of the check identifies a handle of this volume without a read. The second half identifies the
 * record: after a loss of power, a later record may occupy the same location. The size class is the number of bytes to
 * read at once: 64, 96, 128, 192, 256 ... bytes.
 */
public final class HandleLayout {
    static final int STREAMS_MAX = 1 << 12;
    static final int BLOCK_BYTES_MAX = RECORD_ALIGNMENT << 15;
    private static final DirectBuffer NOTHING = new UnsafeBuffer(0, 0);
    private static final long LOW = 0xFFFF_FFFFL;

    private HandleLayout() {}

    public static long location(int stream, long block, int offset, int length) {
        return (long) stream << 52
                | (block & LOW) << PLACE_BITS
                | (long) (offset / RECORD_ALIGNMENT) << 5
                | sizeClass(length);
    }

    public static int stream(long location) {
        return (int) (location >>> 52);
    }

    /**
     * Expands the low 32 bits of a block number to the number nearest to the last block of the stream. A stream holds
     * fewer than 2^31 blocks in memory.
     */
    public static long block(long location, long lastBlock) {
        int behind = (int) lastBlock - (int) (location >>> PLACE_BITS);
        return lastBlock - behind;
    }

    public static int offset(long location) {
        return ((int) (location >>> 5) & 0x7FFF) * RECORD_ALIGNMENT;
    }

    /** Returns an upper bound for the bytes of the record and its header. */
    public static int lengthMax(long location) {
        int sizeClass = (int) location & 31;
        return (2 + (sizeClass & 1)) << (sizeClass >> 1) << 5;
    }

    private static int sizeClass(int length) {
        int sizeClass = 0;
        while ((2 + (sizeClass & 1)) << (sizeClass >> 1) << 5 < length) {
            sizeClass++;
        }
        return sizeClass;
    }

    public static long check(SipHash hash, long location, long recordMac) {
        return hash.of(NOTHING, 0, 0, location, 0) << 32 | (recordMac & LOW);
    }

    public static boolean isGenuine(SipHash hash, long location, long check) {
        return hash.of(NOTHING, 0, 0, location, 0) << 32 == (check & ~LOW);
    }

    public static boolean names(long check, long recordMac) {
        return (int) check == (int) recordMac;
    }
}
