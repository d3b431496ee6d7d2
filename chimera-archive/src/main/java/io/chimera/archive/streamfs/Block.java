package io.chimera.archive.streamfs;

/**
 * A block that is held: 1 MiB of one stream. The writer's thread changes it; what is volatile, and what was written before that,
 * readers see. One object per MiB of the volume, about 100 bytes.
 */
final class Block {
    /** Of a block that has no place yet. */
    static final long NOWHERE = -1;

    final int stream;
    /** In the stream: 1, 2, 3 ... */
    final long number;

    final long firstRecord;
    /** Acknowledged once, and not to be read: what readers get is an error. */
    final boolean isDamaged;

    /** Acknowledged records behind its end are damaged. Set by a recovery only. */
    boolean isShort;

    volatile long position = NOWHERE;
    long timeMinNs = Long.MAX_VALUE;
    long timeMaxNs = Long.MIN_VALUE;
    /** MAC of the last run that was sealed. */
    long lastMac;
    /** Where the last record ends, a multiple of 32; readers look no further. */
    volatile int end;
    /** What is before this offset was written by an earlier opening, and is on the device only. */
    int memoryFrom;
    /** Holds it until it is full and written; then null, before the memory is used for another. */
    volatile BlockBuffer memory;

    Block(int stream, long number, long firstRecord, boolean isDamaged) {
        this.stream = stream;
        this.number = number;
        this.firstRecord = firstRecord;
        this.isDamaged = isDamaged;
    }
}
