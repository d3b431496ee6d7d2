package io.chimera.archive.index.record;

import io.chimera.archive.index.key.KeyBits;
import io.chimera.archive.index.key.KeyTable;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.common.wire.Checksums;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.agrona.ExpandableArrayBuffer;

/**
 * Encodes a record of the index, or a message about the index, little-endian, including its header.
 *
 * <pre>
 *   0      4      8    9    10   11   12           16                         32
 *   +------+------+----+----+----+----+------------+--------------------------+
 *   |magic |crc32c|type|kind|bits|vers|fingerprint | handle of the newest     |   crc: of the rest; kind, bits:
 *   +------+------+----+----+----+----+------------+ bundle record before, 0  |   of its signatures, see KeyBits;
 *                                                  +--------------------------+   fingerprint: of the keys
 * </pre>
 *
 * <p>Whole numbers are written in groups of seven bits per byte, lowest first; signed numbers have the sign in the
 * lowest bit.
 */
public final class RecordOutput {
    public static final int MAGIC = 0x3158_4943; // "CIX1"
    public static final int CRC = 4;
    public static final int TYPE = 8;
    public static final int KIND = 9;
    public static final int BITS = 10;
    public static final int VERSION = 11;
    public static final int FINGERPRINT = 12;
    static final int BUNDLE = 16;
    public static final int HEADER_LENGTH = BUNDLE + RecordHandle.LENGTH;
    public static final byte VERSION_NOW = 2;
    public static final RecordHandle NO_HANDLE = new RecordHandle(0, 0);

    private static final int SEVEN = 7;

    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(64 << 10);
    private final CRC32C crc = new CRC32C();
    private final int fingerprint;
    private RecordHandle bundle = NO_HANDLE;
    private int length;
    private long location;

    /** Creates an encoder for an index with these keys. */
    public RecordOutput(KeyTable keys) {
        fingerprint = keys.fingerprint();
    }

    /** Sets the newest bundle in the header of later records. */
    public void newestBundle(RecordHandle record) {
        bundle = record;
    }

    /** Begins a record. */
    public RecordOutput begin(byte type, KeyBits bits) {
        buffer.putInt(0, MAGIC, ByteOrder.LITTLE_ENDIAN);
        buffer.putByte(TYPE, type);
        buffer.putByte(KIND, bits.kind().code());
        buffer.putByte(BITS, (byte) bits.bits());
        buffer.putByte(VERSION, VERSION_NOW);
        buffer.putInt(FINGERPRINT, fingerprint, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(BUNDLE, bundle.location(), ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(BUNDLE + Long.BYTES, bundle.check(), ByteOrder.LITTLE_ENDIAN);
        length = HEADER_LENGTH;
        location = 0;
        return this;
    }

    /** Writes a usually small number; negative numbers take ten bytes. */
    public RecordOutput putCount(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            buffer.putByte(length++, (byte) (rest | 0x80));
            rest >>>= SEVEN;
        }
        buffer.putByte(length++, (byte) rest);
        return this;
    }

    /** Writes a signed number, usually near 0. */
    public RecordOutput putSigned(long value) {
        return putCount(value << 1 ^ value >> 63);
    }

    /** Writes eight bytes. */
    public RecordOutput putLong(long value) {
        buffer.putLong(length, value, ByteOrder.LITTLE_ENDIAN);
        length += Long.BYTES;
        return this;
    }

    /** Writes the lower bytes of a long. */
    RecordOutput putBytes(long value, int bytes) {
        if (bytes == Long.BYTES) {
            return putLong(value);
        }
        for (int i = 0; i < bytes; i++) {
            buffer.putByte(length++, (byte) (value >>> (Byte.SIZE * i)));
        }
        return this;
    }

    /** Writes a handle, with its location as the difference from the previous handle. */
    RecordOutput putHandle(RecordHandle handle) {
        putSigned(handle.location() - location).putLong(handle.check());
        location = handle.location();
        return this;
    }

    /** Writes text in UTF-8, after its length in bytes. */
    public RecordOutput putText(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        putCount(bytes.length);
        buffer.putBytes(length, bytes);
        length += bytes.length;
        return this;
    }

    /** Ends the record and returns a copy. */
    public byte[] toBytes() {
        end();
        byte[] bytes = new byte[length];
        buffer.getBytes(0, bytes);
        return bytes;
    }

    /** Ends the record. */
    public ExpandableArrayBuffer end() {
        int sum = Checksums.crc32c(crc, buffer, TYPE, length - TYPE);
        buffer.putInt(CRC, sum, ByteOrder.LITTLE_ENDIAN);
        return buffer;
    }

    /** Returns the length of the record in bytes. */
    public int length() {
        return length;
    }
}
