package io.chimera.archive.streamfs;

/** Records of a block written at once, from the end of the run until the run is durable. Writer's thread. */
final class Run {
    final BlockBuffer buffer;
    final Block block;
    final int offset;
    final int length;
    final int end;
    final long firstRecord;
    final int records;
    final long timeMinNs;
    final long timeMaxNs;
    final long sinceNs;
    /** Counts runs in the order of durability. */
    final long sequence;

    int crc;
    boolean isSealed;
    /** Number of placed blocks when this run was sealed. */
    long placed;
    /** Write number of {@link Flusher}; 0 before the write has completed. */
    long writtenAt;

    Run(BlockBuffer buffer, long sequence, int length) {
        this.buffer = buffer;
        this.sequence = sequence;
        this.length = length;
        block = buffer.block;
        offset = buffer.runOffset;
        end = buffer.tail;
        firstRecord = buffer.firstRecord;
        records = buffer.records;
        timeMinNs = block.timeMinNs;
        timeMaxNs = block.timeMaxNs;
        sinceNs = buffer.sinceNs;
    }

    long lastRecord() {
        return firstRecord + records - 1;
    }
}
