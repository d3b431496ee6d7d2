package io.chimera.archive.streamfs;

import static io.chimera.archive.streamfs.layout.VolumeLayout.RUN_HEADER_LENGTH;
import static io.chimera.archive.streamfs.layout.VolumeLayout.RUN_TRAILER_LENGTH;
import static io.chimera.archive.streamfs.layout.VolumeLayout.alignUp;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Memory of a block during filling and writing. Used by the writer's thread; readers copy out of {@link #buffer}. */
final class BlockBuffer {
    final UnsafeBuffer buffer;
    final long address;

    private final int alignment;

    /** Block in this memory; {@link Block#none} before the first {@link #begin}. */
    Block block = Block.none();
    /** Start offset of the run in progress, sector-aligned. */
    int runOffset;
    /** Offset of the next record, or start of the run while the run is empty. */
    int tail;

    int records;
    long firstRecord;
    /** Clock time of the first append to the run. */
    long sinceNs;

    int runsInFlight;
    boolean isClosed;

    BlockBuffer(ByteBuffer bytes, int alignment) {
        this.alignment = alignment;
        buffer = new UnsafeBuffer(bytes);
        address = buffer.addressOffset();
    }

    /** Starts filling a block from an offset; the offset is a multiple of the alignment. */
    void begin(Block toFill, int offset) {
        block = toFill;
        runOffset = offset;
        tail = offset;
        records = 0;
        runsInFlight = 0;
        isClosed = false;
    }

    /** Returns the offset of the next record. */
    int next() {
        return records == 0 ? runOffset + RUN_HEADER_LENGTH : tail;
    }

    boolean fits(int stride) {
        return next() + stride + RUN_TRAILER_LENGTH <= buffer.capacity();
    }

    /** Ends the run in progress; the run must hold records. */
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
