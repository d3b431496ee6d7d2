package io.chimera.archive.streamfs;

import org.jspecify.annotations.Nullable;

/**
 * State of one held block: 1 MiB of one stream. Only the writer's thread changes a block. Readers see the volatile
 * fields, and every plain field written before them. The heap holds one object of about 100 bytes per MiB of the
 * volume.
 */
final class Block {
    /** Position of a block before the frontier has placed the block. */
    static final long NOWHERE = -1;

    final int stream;
    /** Number of the block in its stream: 1, 2, 3 ... */
    final long number;

    final long firstRecord;
    /** True when the block was acknowledged once but is unreadable; readers get an error. */
    final boolean isDamaged;

    /** True when acknowledged records after the end of the block are damaged. Only a recovery sets the flag. */
    boolean isShort;

    volatile long position = NOWHERE;
    long timeMinNs = Long.MAX_VALUE;
    long timeMaxNs = Long.MIN_VALUE;
    /** MAC of the last sealed run. */
    long lastMac;
    /** End offset of the last record, a multiple of 32; readers stop here. */
    volatile int end;
    /**
     * First offset in {@link #memory}. Bytes before this offset were written by an earlier opening and are only on the
     * device.
     */
    int memoryFrom;
    /**
     * Memory of the block until the block is full and written. Null afterwards, before the memory is reused for another
     * block.
     */
    volatile @Nullable BlockBuffer memory;

    Block(int stream, long number, long firstRecord, boolean isDamaged) {
        this.stream = stream;
        this.number = number;
        this.firstRecord = firstRecord;
        this.isDamaged = isDamaged;
    }

    /** Returns an empty block before the first block of every stream, which counts as overwritten. */
    static Block none() {
        return new Block(-1, 0, 0, false);
    }
}
