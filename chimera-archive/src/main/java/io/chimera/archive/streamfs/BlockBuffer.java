package io.chimera.archive.streamfs;

import static io.chimera.archive.streamfs.VolumeLayout.RUN_HEADER_LENGTH;
import static io.chimera.archive.streamfs.VolumeLayout.RUN_TRAILER_LENGTH;
import static io.chimera.archive.streamfs.VolumeLayout.alignUp;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The memory of a block that is being filled or written. Writer's thread; readers copy out of {@link #buffer}. */
final class BlockBuffer {
    final UnsafeBuffer buffer;
    final long address;

    private final int alignment;

    Block block;
    /** Where the run that is being filled begins: whole sectors. */
    int runOffset;
    /** Where the next record goes, or the run begins when it has none. */
    int tail;

    int records;
    long firstRecord;
    /** By the clock, when the first record of the run was appended. */
    long sinceNs;

    int runsInFlight;
    boolean isClosed;

    BlockBuffer(ByteBuffer bytes, int alignment) {
        this.alignment = alignment;
        buffer = new UnsafeBuffer(bytes);
        address = buffer.addressOffset();
    }

    /** Takes a block, from an offset on that is a multiple of the alignment. */
    void begin(Block toFill, int offset) {
        block = toFill;
        runOffset = offset;
        tail = offset;
        records = 0;
        runsInFlight = 0;
        isClosed = false;
    }

    /** Where a record would go. */
    int next() {
        return records == 0 ? runOffset + RUN_HEADER_LENGTH : tail;
    }

    boolean fits(int stride) {
        return next() + stride + RUN_TRAILER_LENGTH <= buffer.capacity();
    }

    /** Ends the run that is being filled; there must be records in it. */
    Run endRun(long sequence) {
        int end = alignUp(tail + RUN_TRAILER_LENGTH, alignment);
        Run run = new Run(this, sequence, end - runOffset);
        runOffset = end;
        tail = end;
        records = 0;
        runsInFlight++;
        return run;
    }
}
