package io.chimera.dataset.format.parquet;

import java.io.IOException;

/**
 * The part of a column chunk in memory, which moves over the chunk: the whole chunk when it is not larger than the
 * window, otherwise windows of that size. One thread.
 */
final class ChunkWindow {
    private final ReaderResources resources;
    private byte[] bytes = new byte[0];
    private int position;
    private int end;
    private long nextOffset;
    private long chunkEnd;

    /**
     * Creates a window.
     *
     * @param resources object and memory
     */
    ChunkWindow(ReaderResources resources) {
        this.resources = resources;
    }

    /** Moves to the begin of a chunk, and reads the first window. */
    void open(ChunkPlace chunk) throws IOException {
        position = 0;
        end = 0;
        nextOffset = chunk.offset();
        chunkEnd = chunk.offset() + chunk.length();
        require(1);
    }

    /** Makes bytes available from the position on; the array and the position may change. */
    void require(int count) throws IOException {
        int available = available();
        if (available >= count) {
            return;
        }
        if (count > left()) {
            throw new ParquetDefect("a page of " + count + " bytes, where the chunk of the column has " + left());
        }
        int wanted = (int) Math.min(left(), Math.max(count, resources.windowBytes()));
        byte[] before = bytes;
        bytes = resources.budget().bytes(before, (long) wanted + LittleEndian.SLACK);
        System.arraycopy(before, position, bytes, 0, available);
        position = 0;
        end = available;
        ObjectReads.full(resources.object(), nextOffset, bytes, end, wanted - available);
        nextOffset += wanted - available;
        end = wanted;
    }

    void skip(int count) {
        position += count;
    }

    /** Returns the array, with {@link LittleEndian#SLACK} after the last available byte. */
    byte[] bytes() {
        return bytes;
    }

    /** Returns the index of the next byte. */
    int position() {
        return position;
    }

    /** Returns the number of bytes in memory from the position on. */
    int available() {
        return end - position;
    }

    /** Returns the offset of the next byte in the object. */
    long offset() {
        return nextOffset - available();
    }

    /** Returns the number of bytes of the chunk from the position on. */
    long left() {
        return chunkEnd - offset();
    }
}
