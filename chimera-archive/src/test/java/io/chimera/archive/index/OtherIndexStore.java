package io.chimera.archive.index;

import io.chimera.archive.streamfs.RecordHandle;
import io.chimera.archive.streamfs.StreamReader;
import io.chimera.archive.streamfs.StreamSettings;
import io.chimera.archive.streamfs.StreamStatus;
import io.chimera.archive.streamfs.StreamStore;
import io.chimera.archive.streamfs.VolumeStatus;
import io.chimera.common.wire.Checksums;
import java.nio.ByteOrder;
import java.util.List;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A store for an index that is written as another version, or with other keys, would: each of its records says so and is whole. */
public final class OtherIndexStore implements StreamStore {
    private static final byte VERSION_BEFORE = 1;

    private final StreamStore store;
    private final boolean isOfOtherKeys;

    /**
     * Over another store.
     *
     * @param isOfOtherKeys else of another version
     */
    public OtherIndexStore(StreamStore store, boolean isOfOtherKeys) {
        this.store = store;
        this.isOfOtherKeys = isOfOtherKeys;
    }

    @Override
    public RecordHandle append(int stream, long timeNs, DirectBuffer from, int offset, int length) {
        byte[] bytes = new byte[length];
        from.getBytes(offset, bytes);
        UnsafeBuffer record = new UnsafeBuffer(bytes);
        if (length >= RecordOutput.HEADER_LENGTH && record.getInt(0, ByteOrder.LITTLE_ENDIAN) == RecordOutput.MAGIC) {
            if (isOfOtherKeys) {
                record.putInt(RecordOutput.FINGERPRINT, ~record.getInt(RecordOutput.FINGERPRINT));
            } else {
                record.putByte(RecordOutput.VERSION, VERSION_BEFORE);
            }
            int crc = Checksums.crc32c(new CRC32C(), record, RecordOutput.TYPE, length - RecordOutput.TYPE);
            record.putInt(RecordOutput.CRC, crc, ByteOrder.LITTLE_ENDIAN);
        }
        return store.append(stream, timeNs, record, 0, length);
    }

    @Override
    public StreamReader reader() {
        return store.reader();
    }

    @Override
    public int open(StreamSettings settings) {
        return store.open(settings);
    }

    @Override
    public int recordLengthMax() {
        return store.recordLengthMax();
    }

    @Override
    public int doWork() {
        return store.doWork();
    }

    @Override
    public void sync() {
        store.sync();
    }

    @Override
    public long appended(int stream) {
        return store.appended(stream);
    }

    @Override
    public long durable(int stream) {
        return store.durable(stream);
    }

    @Override
    public long oldest(int stream) {
        return store.oldest(stream);
    }

    @Override
    public List<StreamStatus> streams() {
        return store.streams();
    }

    @Override
    public VolumeStatus status() {
        return store.status();
    }

    @Override
    public void close() {
        store.close();
    }
}
