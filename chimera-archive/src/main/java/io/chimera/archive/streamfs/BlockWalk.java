package io.chimera.archive.streamfs;

import static io.chimera.archive.streamfs.VolumeLayout.RECORD_HEADER_LENGTH;
import static io.chimera.archive.streamfs.VolumeLayout.RUN_HEADER_LENGTH;
import static io.chimera.archive.streamfs.VolumeLayout.RUN_TRAILER_LENGTH;
import static io.chimera.archive.streamfs.VolumeLayout.alignUp;

/**
 * Walks over the records of a block, which it reads ahead, to the end, at once. Behind a record comes another, or the header of the
 * next run in the next sector. Of one reader's thread.
 */
final class BlockWalk {
    /** No record now: more may be appended. */
    static final int END = -1;
    /** The block is not held any more. */
    static final int GONE = -2;
    /** There should be a record and there is none. */
    static final int BROKEN = -3;

    private final Geometry geometry;
    private final SipHash hash;
    private final StreamState of;
    private final BlockReader reader;
    private Block block;
    /** Of the next record in the block, or of the end of the last. */
    private int nextOffset;

    /** Number of the next record; 0: not known behind damage. */
    private long nextNumber;

    private int offset;
    /** What of the block is in the reader's buffer. */
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

    /** Starts with the record at an offset, or the first one behind it. */
    void begin(Block toWalk, int from) {
        block = toWalk;
        nextOffset = from;
        nextNumber = block.firstRecord;
        loadedFrom = 0;
        loadedTo = 0;
    }

    /** Where the last record that {@link #next} found is in the block. */
    int offset() {
        return offset;
    }

    /** Index of the next record in the reader's buffer, or {@link #END}, {@link #GONE}, {@link #BROKEN}. */
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
                found = BROKEN; // the last records of the run before are damaged
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

    /** After {@link #BROKEN}: goes on with the next run whose header is genuine. Returns false when there is none. */
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
