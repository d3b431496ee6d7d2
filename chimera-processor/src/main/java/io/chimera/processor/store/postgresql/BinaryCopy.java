package io.chimera.processor.store.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteOrder;
import java.sql.SQLException;
import java.util.UUID;
import org.agrona.ExpandableArrayBuffer;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;

/**
 * Collects rows in the binary format of COPY, and sends all at once, so that the database never waits for a paused
 * processor in the middle of a COPY.
 *
 * <pre>
 * header: "PGCOPY\n" 0xFF "\r\n" 0x00, int32 flags = 0, int32 length of the extension = 0
 * row:    int16 number of fields, then for each field: int32 length (-1: null), bytes
 * end:    int16 -1
 * </pre>
 *
 * All numbers are big-endian. One thread.
 */
final class BinaryCopy {
    private static final byte[] HEADER = {
        'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0
    };
    private static final int NULL = -1;

    /** Version of the binary format of jsonb. */
    private static final byte JSONB = 1;

    private final String command;
    private final int fields;
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(1 << 16);
    private int length;
    private int rows;

    /**
     * Creates an empty collection.
     *
     * @param command the COPY command
     * @param fields number of fields of a row
     */
    BinaryCopy(String command, int fields) {
        this.command = command;
        this.fields = fields;
        clear();
    }

    void clear() {
        buffer.putBytes(0, HEADER);
        length = HEADER.length;
        rows = 0;
    }

    int rows() {
        return rows;
    }

    void beginRow() {
        buffer.putShort(length, (short) fields, ByteOrder.BIG_ENDIAN);
        length += Short.BYTES;
        rows++;
    }

    void addUuid(UUID value) {
        addLength(2 * Long.BYTES);
        addRaw(value.getMostSignificantBits());
        addRaw(value.getLeastSignificantBits());
    }

    void addLong(long value) {
        addLength(Long.BYTES);
        addRaw(value);
    }

    void addBoolean(boolean value) {
        addLength(1);
        buffer.putByte(length++, (byte) (value ? 1 : 0));
    }

    void addNull() {
        addLength(NULL);
    }

    void addText(String value) {
        byte[] bytes = value.getBytes(UTF_8);
        addLength(bytes.length);
        addRaw(bytes);
    }

    void addJson(String value) {
        byte[] bytes = value.getBytes(UTF_8);
        addLength(1 + bytes.length);
        buffer.putByte(length++, JSONB);
        addRaw(bytes);
    }

    private void addLength(int bytes) {
        buffer.putInt(length, bytes, ByteOrder.BIG_ENDIAN);
        length += Integer.BYTES;
    }

    private void addRaw(long value) {
        buffer.putLong(length, value, ByteOrder.BIG_ENDIAN);
        length += Long.BYTES;
    }

    private void addRaw(byte[] bytes) {
        buffer.putBytes(length, bytes);
        length += bytes.length;
    }

    /** Sends the rows, if any. */
    void send(CopyManager copies) throws SQLException {
        if (rows == 0) {
            return;
        }
        buffer.putShort(length, (short) -1, ByteOrder.BIG_ENDIAN);
        CopyIn copy = copies.copyIn(command);
        try {
            copy.writeToCopy(buffer.byteArray(), 0, length + Short.BYTES);
            copy.endCopy();
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }
}
