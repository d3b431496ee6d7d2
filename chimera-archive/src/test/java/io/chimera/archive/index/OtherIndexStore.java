package io.chimera.archive.index;

import io.chimera.archive.index.record.RecordOutput;
import io.chimera.archive.streamfs.store.ForwardingStore;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.wire.Checksums;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Store for an index in the format of another version, or with other keys: all records are whole and marked
 * accordingly.
 */
public final class OtherIndexStore extends ForwardingStore {
    private static final byte VERSION_BEFORE = 1;

    private final boolean isOfOtherKeys;

    /**
     * Wraps a store.
     *
     * @param isOfOtherKeys true for other keys, false for another version
     */
    public OtherIndexStore(StreamStore store, boolean isOfOtherKeys) {
        super(store);
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
        return super.append(stream, timeNs, record, 0, length);
    }
}
