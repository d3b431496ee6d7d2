package io.chimera.dataset.format.parquet;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.ObjectBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** An object in memory that counts what is read. */
final class ParquetObject implements ObjectBytes {
    private final byte[] content;
    private final int readMax;
    private final Object key;
    final List<ByteRange> reads = new ArrayList<>();

    ParquetObject(byte[] content) {
        this(content, Integer.MAX_VALUE);
    }

    /** Creates an object that returns at most some bytes at once. */
    ParquetObject(byte[] content, int readMax) {
        this.content = content;
        this.readMax = readMax;
        key = this;
    }

    /** Creates an object with the same bytes as others with the key. */
    ParquetObject(byte[] content, String key) {
        this.content = content;
        this.readMax = Integer.MAX_VALUE;
        this.key = key;
    }

    /** Reads a file from the test resources. */
    static byte[] resource(String name) {
        try (InputStream in = Objects.requireNonNull(ParquetObject.class.getResourceAsStream(name + ".parquet"))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long bytesRead() {
        return reads.stream().mapToLong(ByteRange::length).sum();
    }

    @Override
    public String path() {
        return "year/points.parquet";
    }

    @Override
    public long length() {
        return content.length;
    }

    @Override
    public Object contentKey() {
        return key;
    }

    @Override
    public int read(long offset, ByteBuffer into) {
        if (offset >= content.length) {
            return -1;
        }
        int count = (int) Math.min(Math.min(into.remaining(), content.length - offset), readMax);
        into.put(content, (int) offset, count);
        reads.add(new ByteRange(offset, offset + count));
        return count;
    }
}
