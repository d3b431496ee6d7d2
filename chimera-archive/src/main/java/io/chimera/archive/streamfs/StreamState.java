package io.chimera.archive.streamfs;

/**
 * A stream: its blocks that are held, numbers {@code oldestBlock} to {@code lastBlock}, and its counts. Written by the
 * writer's thread. Readers take the counts first and then the blocks, and look at the number of what they got.
 */
final class StreamState {
    private static final int CAPACITY_MIN = 8;

    final int index;
    /** Null: the stream was removed, and its place waits for another. */
    volatile StreamSettings settings;
    /** What the frontier keeps: the guarantee of the settings, or a higher one until the lower one is durable. */
    long guaranteeBytes;

    private volatile Block[] ring = new Block[CAPACITY_MIN];
    private volatile long lastBlock;
    private volatile long oldestBlock = 1;
    private volatile long appended;
    private volatile long durable;

    /** The block up to which everything is durable, and how far in it. */
    private long durableBlock;

    private int durableEnd;

    /** Being filled; null until the first append. */
    BlockBuffer open;
    /** Of the run that was sealed last. */
    long lastMac;
    /** Where the last block may go on after a recovery; its length when it may not. */
    int resumeOffset;

    StreamState(int index, StreamSettings settings) {
        this.index = index;
        this.settings = settings;
        guaranteeBytes = settings == null ? 0 : settings.guaranteeBytes();
    }

    boolean isRemoved() {
        return settings == null;
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

    /** Null when the number is not held: it may have been when the caller looked. */
    Block block(long number) {
        Block[] blocks = ring;
        Block found = blocks[(int) number & blocks.length - 1];
        return found != null && found.number == number ? found : null;
    }

    /** The oldest record that is held, or the next when none is. Any thread. */
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

    /** Begins with a block, when the stream has none. */
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

    /** Forgets the oldest block, which is returned. */
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
     * Whether a block may be overwritten: what is newer and durable is as much as is guaranteed. Every block that is not the
     * last counts whole.
     */
    boolean isSurplus(long number, int blockBytes) {
        return number < durableBlock && newerBytes(number, blockBytes) >= guaranteeBytes;
    }

    private long newerBytes(long number, int blockBytes) {
        return (durableBlock - number - 1) * blockBytes + durableEnd;
    }

    /** Bytes of the device that it takes, whole sectors as its guarantee counts them. Any thread; as of about now. */
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
