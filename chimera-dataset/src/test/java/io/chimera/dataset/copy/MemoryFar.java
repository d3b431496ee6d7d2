package io.chimera.dataset.copy;

import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.ObjectVersion;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** An object of pseudo-random bytes in memory; counts the bytes of reads. Any thread. */
final class MemoryFar implements DataSource {
    private final byte[] content;
    private final DataObject object;
    private final AtomicLong bytes = new AtomicLong();

    MemoryFar(int length, String tag) {
        content = new byte[length];
        new Random(length + tag.hashCode()).nextBytes(content);
        object = new DataObject("folder/object", length, new ObjectVersion(tag, Checksum.NONE));
    }

    DataObject object() {
        return object;
    }

    byte[] content() {
        return content.clone();
    }

    /** Returns the number of bytes read since the last call. */
    long taken() {
        return bytes.getAndSet(0);
    }

    @Override
    public String place() {
        return "memory";
    }

    @Override
    public List<DataObject> list(String pattern) {
        return List.of(object);
    }

    @Override
    public void read(DataObject read, long offset, ByteBuffer into) {
        bytes.addAndGet(into.remaining());
        into.put(content, (int) offset, into.remaining());
    }

    @Override
    public void close() {}
}
