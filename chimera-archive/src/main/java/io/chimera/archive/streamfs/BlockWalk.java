package io.chimera.archive.streamfs;

import static io.chimera.archive.streamfs.layout.VolumeLayout.RECORD_HEADER_LENGTH;
import static io.chimera.archive.streamfs.layout.VolumeLayout.RUN_HEADER_LENGTH;
import static io.chimera.archive.streamfs.layout.VolumeLayout.RUN_TRAILER_LENGTH;
import static io.chimera.archive.streamfs.layout.VolumeLayout.alignUp;

import io.chimera.archive.streamfs.layout.DeviceSet;
import io.chimera.archive.streamfs.layout.Geometry;
import io.chimera.archive.streamfs.layout.RecordLayout;
import io.chimera.archive.streamfs.layout.SipHash;

/**
 * Walks over the records of a block. The rest of the block is loaded with one read. A record is followed by another
 * record, or by the header of the next run in the next sector. Confined to one reader's thread.
 */
final class BlockWalk {
    /** No record at present; the writer may append more. */
    static final int END = -1;
    /** The block was overwritten. */
    static final int GONE = -2;
    /** A record is expected but missing. */
    static final int BROKEN = -3;

    private final Geometry geometry;
    private final SipHash hash;
    private final StreamState of;
    private final BlockReader reader;
    /** Block of the walk; {@link Block#none} before the first {@link #begin}. */
    private Block block = Block.none();
    /** Offset of the next record in the block, or end of the last record. */
    private int nextOffset;

    /** Number of the next record; 0 after damage, when the number is unknown. */
    private long nextNumber;

    private int offset;
    /** Range of the block in the reader's buffer. */
    private int loadedFrom;

    private int loadedTo;

    BlockWalk(Geometry geometry, SipHash hash, DeviceSet devices, StreamState of) {
        this.geometry = geometry;
        this.hash = hash;
        this.of = of;
        reader = new BlockReader(geometry, devices);
    }

    BlockReader reader() {
        return reader;
    }

    Block block() {
        return block;
    }

    /** Starts with the record at an offset, or with the first record after the offset. */
    void begin(Block toWalk, int from) {
        block = toWalk;
        nextOffset = from;
        nextNumber = block.firstRecord;
        loadedFrom = 0;
        loadedTo = 0;
    }

    /** Returns the block offset of the last record found by {@link #next}. */
    int offset() {
        return offset;
    }

    /** Returns the buffer index of the next record, or {@link #END}, {@link #GONE} or {@link #BROKEN}. */
    int next() {
        int end = block.end;
        if (nextOffset >= end) {
            return END;
        }
        int found = at(nextOffset);
        if (found == BROKEN) {
            int nextRun = alignUp(nextOffset + RUN_TRAILER_LENGTH, geometry.alignment) + RUN_HEADER_LENGTH;
            found = nextRun < end ? at(nextRun) : BROKEN;
            if (found >= 0 && nextNumber > 0 && RecordLayout.number(reader.buffer(), found) != nextNumber) {
                found = BROKEN; // the last records of the previous run are damaged
            }
            nextOffset = found >= 0 ? nextRun : nextOffset;
        }
        if (found >= 0) {
            offset = nextOffset;
            nextNumber = RecordLayout.number(reader.buffer(), found) + 1;
            nextOffset += RecordLayout.stride(RecordLayout.length(reader.buffer(), found));
        }
        return found;
    }

    private int at(int candidate) {
        if (candidate >= loadedFrom && candidate + RECORD_HEADER_LENGTH <= loadedTo) {
            int index = reader.start() + candidate - loadedFrom;
            if (isRecord(index, candidate)) {
                return index;
            }
        }
        if (loadedFrom == candidate && loadedTo >= block.end) {
            return BROKEN;
        }
        int available = reader.load(of, block, candidate, geometry.blockBytes - candidate);
        if (available == BlockReader.GONE) {
            return GONE;
        }
        loadedFrom = candidate;
        loadedTo = candidate + available;
        return isRecord(reader.start(), candidate) ? reader.start() : BROKEN;
    }

    private boolean isRecord(int index, int candidate) {
        int limit = reader.start() + loadedTo - loadedFrom;
        return RecordLayout.isGenuine(hash, reader.buffer(), index, limit, of.index, block.number, candidate);
    }

    /** Skips to the next run with a genuine header, after {@link #BROKEN}. Returns false if no such run exists. */
    boolean skipDamage() {
        int end = block.end;
        for (int at = alignUp(nextOffset + 1, geometry.alignment); at < end; at += geometry.alignment) {
            int available = reader.load(of, block, at, geometry.alignment);
            loadedFrom = 0;
            loadedTo = 0;
            if (available >= RUN_HEADER_LENGTH
                    && RunLayout.isGenuine(hash, reader.buffer(), reader.start(), at, geometry.blockBytes)
                    && RunLayout.block(reader.buffer(), reader.start()) == block.number
                    && RunLayout.stream(reader.buffer(), reader.start()) == of.index) {
                nextOffset = at + RUN_HEADER_LENGTH;
                nextNumber = 0;
                return true;
            }
        }
        return false;
    }
}
