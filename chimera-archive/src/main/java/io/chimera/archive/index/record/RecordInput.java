package io.chimera.archive.index.record;

import io.chimera.archive.index.key.KeyBits;
import io.chimera.archive.index.key.KeyTable;
import io.chimera.archive.index.key.SignatureKind;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.common.wire.Checksums;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the output of {@link RecordOutput}. Arbitrary bytes are either decoded or rejected, without reads beyond
 * their end. Single-threaded.
 */
public final class RecordInput {
    private static final int SEVEN = 7;

    private final CRC32C crc = new CRC32C();
    private final int fingerprint;
    private DirectBuffer buffer = new UnsafeBuffer(0, 0);
    private @Nullable KeyBits bits;
    private int at;
    private long location;

    /** Creates a decoder for an index with these keys. */
    public RecordInput(KeyTable keys) {
        fingerprint = keys.fingerprint();
    }

    /** Begins a record of a type with the same keys. */
    public RecordInput begin(DirectBuffer record, byte type) throws DamagedRecordException {
        buffer = record;
        at = RecordOutput.HEADER_LENGTH;
        location = 0;
        if (!isOurs(record)) {
            throw new DamagedRecordException("not an index record, or a wrong checksum");
        }
        SignatureKind kind = SignatureKind.of(record.getByte(RecordOutput.KIND));
        if (record.getByte(RecordOutput.TYPE) != type || !isOfSameMaking(record) || kind == null) {
            throw new DamagedRecordException("unexpected type, version or key set");
        }
        KeyBits found = new KeyBits(kind, record.getByte(RecordOutput.BITS));
        if (!found.isValid()) {
            throw new DamagedRecordException("signatures of an unknown kind");
        }
        bits = found;
        return this;
    }

    private boolean isOurs(DirectBuffer record) {
        return record.capacity() >= RecordOutput.HEADER_LENGTH
                && record.getInt(0, ByteOrder.LITTLE_ENDIAN) == RecordOutput.MAGIC
                && record.getInt(RecordOutput.CRC, ByteOrder.LITTLE_ENDIAN)
                        == Checksums.crc32c(crc, record, RecordOutput.TYPE, record.capacity() - RecordOutput.TYPE);
    }

    /** Returns the type of a whole record; -1 for any other bytes. */
    public int type(DirectBuffer record) {
        return isOurs(record) ? record.getByte(RecordOutput.TYPE) : -1;
    }

    /** Returns true if a whole record has the same keys and format version. */
    public boolean isOfSameMaking(DirectBuffer record) {
        return record.getByte(RecordOutput.VERSION) == RecordOutput.VERSION_NOW
                && record.getInt(RecordOutput.FINGERPRINT, ByteOrder.LITTLE_ENDIAN) == fingerprint;
    }

    /** Returns the newest bundle before a whole record; {@link RecordOutput#NO_HANDLE} without a bundle. */
    public static RecordHandle newestBundle(DirectBuffer record) {
        return new RecordHandle(
                record.getLong(RecordOutput.BUNDLE, ByteOrder.LITTLE_ENDIAN),
                record.getLong(RecordOutput.BUNDLE + Long.BYTES, ByteOrder.LITTLE_ENDIAN));
    }

    /** Returns the signature scheme of the record. */
    KeyBits bits() {
        return Objects.requireNonNull(bits, "begin() comes first");
    }

    /** See {@link RecordOutput#putCount}. */
    public long count() throws DamagedRecordException {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += SEVEN) {
            byte next = buffer.getByte(take(1));
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new DamagedRecordException("an unterminated number");
    }

    /**
     * Reads an element count, checked against a maximum and against the remaining bytes, with a minimum length per
     * element.
     */
    public int count(int max, int bytesEach) throws DamagedRecordException {
        long value = count();
        if (value < 0 || value > max || value * bytesEach > buffer.capacity() - at) {
            throw new DamagedRecordException("a number out of bounds");
        }
        return (int) value;
    }

    /** See {@link RecordOutput#putSigned}. */
    public long signed() throws DamagedRecordException {
        long value = count();
        return value >>> 1 ^ -(value & 1);
    }

    /** Reads eight bytes. */
    public long eightBytes() throws DamagedRecordException {
        return buffer.getLong(take(Long.BYTES), ByteOrder.LITTLE_ENDIAN);
    }

    /** See {@link RecordOutput#putText}. */
    public String text(int bytesMax) throws DamagedRecordException {
        byte[] bytes = new byte[count(bytesMax, 1)];
        buffer.getBytes(take(bytes.length), bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Rejects trailing bytes. */
    public void end() throws DamagedRecordException {
        if (at != buffer.capacity()) {
            throw new DamagedRecordException("trailing bytes");
        }
    }

    /** Reads several longs. */
    public long[] longs(int count) throws DamagedRecordException {
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = eightBytes();
        }
        return values;
    }

    /** See {@link RecordOutput#putHandle}. */
    RecordHandle handle() throws DamagedRecordException {
        location += signed();
        return new RecordHandle(location, eightBytes());
    }

    /** Skips bytes and returns their start. */
    int take(int bytes) throws DamagedRecordException {
        if (bytes < 0 || bytes > buffer.capacity() - at) {
            throw new DamagedRecordException("a truncated record");
        }
        int start = at;
        at += bytes;
        return start;
    }
}
