package io.chimera.archive.streamfs;

import io.chimera.archive.streamfs.layout.Geometry;
import io.chimera.archive.streamfs.layout.VolumeLayout;
import io.chimera.archive.streamfs.store.StreamSettings;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * State of a stream: its held blocks, numbers {@code oldestBlock} to {@code lastBlock}, and its counts. Changed by the
 * writer's thread only. Readers read the counts before the blocks and check the number of each block.
 */
final class StreamState {
    private static final int CAPACITY_MIN = 8;

    final int index;
    /** Null for a removed stream; another stream may reuse the index. */
    volatile @Nullable StreamSettings settings;
    /**
     * Guarantee applied by the frontier: the guarantee of the settings, or a higher value until the lower value is
     * durable.
     */
    long guaranteeBytes;

    private volatile Block[] ring = new Block[CAPACITY_MIN];
    private volatile long lastBlock;
    private volatile long oldestBlock = 1;
    private volatile long appended;
    private volatile long durable;

    /** Block with the end of the durable records; {@link #durableEnd} is the offset in it. */
    private long durableBlock;

    private int durableEnd;

    /** Block in progress; null until the first append. */
    @Nullable
    BlockBuffer open;
    /** MAC of the last sealed run. */
    long lastMac;
    /** Offset in the last block for new runs after a recovery; the block size if the block is closed. */
    int resumeOffset;

    StreamState(int index, @Nullable StreamSettings settings) {
        this.index = index;
        this.settings = settings;
        guaranteeBytes = settings == null ? 0 : settings.guaranteeBytes();
    }

    boolean isRemoved() {
        return settings == null;
    }

    /** Returns the settings of a stream that is not removed. */
    StreamSettings settings() {
        return Objects.requireNonNull(settings, "The stream was removed.");
    }

    long lastBlock() {
        return lastBlock;
    }

    long oldestBlock() {
        return oldestBlock;
    }

    long appended() {
        return appended;
    }

    long durable() {
        return durable;
    }

    long durableBlock() {
        return durableBlock;
    }

    /** Returns null if the block is not held; it may have been held at the time of the caller's check. */
    @Nullable
    Block block(long number) {
        Block[] blocks = ring;
        Block found = blocks[(int) number & blocks.length - 1];
        return found != null && found.number == number ? found : null;
    }

    /** Returns the oldest held record, or the next record number if no block is held. Any thread. */
    long oldestRecord() {
        while (true) {
            long oldest = oldestBlock;
            if (oldest > lastBlock) {
                return appended + 1;
            }
            Block block = block(oldest);
            if (block != null) {
                return block.firstRecord;
            }
        }
    }

    /** Sets the number of the first block of an empty stream. */
    void startAt(long number) {
        oldestBlock = number;
        lastBlock = number - 1;
    }

    void add(Block block) {
        Block[] blocks = ring;
        if (lastBlock - oldestBlock + 2 > blocks.length) {
            Block[] larger = new Block[blocks.length * 2];
            for (Block each : blocks) {
                if (each != null) {
                    larger[(int) each.number & larger.length - 1] = each;
                }
            }
            ring = larger;
            blocks = larger;
        }
        blocks[(int) block.number & blocks.length - 1] = block;
        lastBlock = block.number;
    }

    /** Forgets and returns the oldest block. */
    Block dropOldest() {
        long number = oldestBlock;
        Block[] blocks = ring;
        int at = (int) number & blocks.length - 1;
        Block dropped = blocks[at];
        oldestBlock = number + 1;
        blocks[at] = null;
        return dropped;
    }

    void appended(long number) {
        appended = number;
    }

    void durable(long record, long block, int end) {
        durable = record;
        durableBlock = block;
        durableEnd = end;
    }

    /**
     * Returns true if a block may be overwritten, i.e. if the newer durable bytes cover the guarantee. Every block
     * before the last durable block counts in full.
     */
    boolean isSurplus(long number, int blockBytes) {
        return number < durableBlock && newerBytes(number, blockBytes) >= guaranteeBytes;
    }

    private long newerBytes(long number, int blockBytes) {
        return (durableBlock - number - 1) * blockBytes + durableEnd;
    }

    /**
     * Returns the device bytes held by the stream, in whole sectors as counted for the guarantee. Any thread;
     * approximate during writes.
     */
    long heldBytes(Geometry geometry) {
        long last = lastBlock;
        Block block = block(last);
        if (block == null) {
            return 0;
        }
        int end = block.end;
        int used = end == 0 ? 0 : VolumeLayout.alignUp(end + VolumeLayout.RUN_TRAILER_LENGTH, geometry.alignment);
        return (last - oldestBlock) * geometry.blockBytes + used;
    }
}
