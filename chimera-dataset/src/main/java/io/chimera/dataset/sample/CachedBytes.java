package io.chimera.dataset.sample;

import io.chimera.dataset.format.ObjectBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Bytes of an object, kept once they are read, so that the computation of a sample does not wait for the source. Each
 * byte is read from the source once. Any thread.
 */
final class CachedBytes implements ObjectBytes {
    private final ObjectBytes origin;
    private final NavigableMap<Long, byte[]> pieces = new TreeMap<>();
    private long bytes;

    /**
     * Creates a cache without bytes.
     *
     * @param origin the object; not owned
     */
    CachedBytes(ObjectBytes origin) {
        this.origin = origin;
    }

    /** Returns the number of bytes read from the object so far. */
    synchronized long bytes() {
        return bytes;
    }

    @Override
    public String path() {
        return origin.path();
    }

    @Override
    public long length() {
        return origin.length();
    }

    @Override
    public synchronized int read(long offset, ByteBuffer into) throws IOException {
        Map.Entry<Long, byte[]> piece = pieces.floorEntry(offset);
        if (piece != null && offset < piece.getKey() + piece.getValue().length) {
            int from = (int) (offset - piece.getKey());
            int count = Math.min(into.remaining(), piece.getValue().length - from);
            into.put(piece.getValue(), from, count);
            return count;
        }
        Long next = pieces.higherKey(offset);
        int room = next == null ? into.remaining() : (int) Math.min(into.remaining(), next - offset);
        ByteBuffer part = into.slice().limit(room);
        int count = origin.read(offset, part);
        if (count > 0) {
            byte[] kept = new byte[count];
            part.flip().get(kept);
            pieces.put(offset, kept);
            bytes += count;
            into.position(into.position() + count);
        }
        return count;
    }
}
