package io.chimera.dataset.format;

import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;

/** Object in memory that returns pieces of random or any length. Counts the bytes read. */
public final class MemoryObject implements ObjectBytes {
    private final String path;
    private final byte[] bytes;
    private final RandomGenerator random;
    private final int pieceMax;
    private long read;

    /** Creates an object whose reads return 1 to {@code pieceMax} bytes. */
    public MemoryObject(String path, byte[] bytes, RandomGenerator random, int pieceMax) {
        this.path = path;
        this.bytes = bytes;
        this.random = random;
        this.pieceMax = pieceMax;
    }

    /** Creates an object whose reads return as many bytes as wished. */
    public MemoryObject(String path, byte[] bytes) {
        this(path, bytes, () -> 0, Integer.MAX_VALUE);
    }

    /** Bytes read so far. */
    public long read() {
        return read;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public long length() {
        return bytes.length;
    }

    @Override
    public int read(long offset, ByteBuffer into) {
        if (!into.hasRemaining() || offset < 0) {
            throw new AssertionError("offset " + offset + ", room " + into.remaining());
        }
        if (offset >= bytes.length) {
            return -1;
        }
        int most = (int) Math.min(into.remaining(), bytes.length - offset);
        int count = pieceMax == Integer.MAX_VALUE ? most : Math.min(most, random.nextInt(1, pieceMax + 1));
        into.put(bytes, (int) offset, count);
        read += count;
        return count;
    }
}
