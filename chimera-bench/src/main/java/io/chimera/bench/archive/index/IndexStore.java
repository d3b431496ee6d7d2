package io.chimera.bench.archive.index;

import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamCursor;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.archive.streamfs.store.StreamStatus;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.archive.streamfs.store.VolumeStatus;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Counting store for the records of an index: copies each record into a block and drops it, or keeps all records for
 * searches. The store has no data; the caller invents the handles of the data records.
 */
final class IndexStore implements StreamStore {
    private static final int BLOCK = 1 << 20;

    private final UnsafeBuffer block = new UnsafeBuffer(ByteBuffer.allocateDirect(BLOCK));
    private final boolean isKept;
    private final List<byte[]> kept = new ArrayList<>();
    private int filled;
    private long bytes;
    private long records;

    IndexStore(boolean isKept) {
        this.isKept = isKept;
    }

    @Override
    public RecordHandle append(int stream, long timeNs, DirectBuffer from, int offset, int length) {
        if (isKept) {
            byte[] record = new byte[length];
            from.getBytes(offset, record);
            kept.add(record);
        }
        if (filled + length > BLOCK) {
            filled = 0;
        }
        block.putBytes(filled, from, offset, length);
        filled += length;
        bytes += length;
        records++;
        return new RecordHandle(records, ~records);
    }

    long bytes() {
        return bytes;
    }

    long records() {
        return records;
    }

    @Override
    public int open(StreamSettings settings) {
        return 0;
    }

    @Override
    public int recordLengthMax() {
        return BLOCK;
    }

    @Override
    public int doWork() {
        return 0;
    }

    @Override
    public void sync() {
        // nothing to sync
    }

    @Override
    public long appended(int stream) {
        return 0;
    }

    @Override
    public long durable(int stream) {
        return 0;
    }

    @Override
    public long oldest(int stream) {
        return 1;
    }

    @Override
    public StreamReader reader() {
        return new Reader();
    }

    @Override
    public List<StreamStatus> streams() {
        StreamSettings settings = new StreamSettings("counted", "index", 0);
        return List.of(
                new StreamStatus(0, settings, 0, 0, 1, Long.MAX_VALUE, 0, 0),
                new StreamStatus(1, settings, 0, 0, 1, Long.MAX_VALUE, 0, 0));
    }

    @Override
    public VolumeStatus status() {
        return new VolumeStatus(1, BLOCK, 0, BLOCK, 0, 0, 0, 0, bytes, 0, null);
    }

    @Override
    public void close() {
        // nothing to close
    }

    /** Reads kept records by handle. */
    private final class Reader implements StreamReader, StreamCursor {
        @Override
        public boolean read(RecordHandle handle, RecordView into) {
            into.buffer().wrap(kept.get((int) handle.location() - 1));
            return true;
        }

        @Override
        public StreamCursor cursor(int stream, long fromNs) {
            return this;
        }

        @Override
        public boolean next(RecordView into) {
            return false;
        }

        @Override
        public void close() {
            // nothing to close
        }
    }
}
