package io.chimera.queue.parser.protobuf;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Reads the fields of one message in the wire format of Protocol Buffers, in the order of the bytes. A field is a tag
 * ({@code number << 3 | wire type}) and a value:
 *
 * <pre>
 *   0 VARINT   7 bits per byte, the lowest first, at most 10 bytes      {@link #value()}
 *   1 FIXED64  8 bytes, little-endian                                   {@link #value()}
 *   2 LENGTH   varint with the length, then text, message or array      {@link #offset()}, {@link #length()}
 *   3 GROUP    fields up to a field of type 4 with the same number      skipped; no message here has groups
 *   5 FIXED32  4 bytes, little-endian                                   {@link #value()}
 * </pre>
 *
 * <p>A length is compared with the rest of the message before use, so no malformed message leads outside the array. A
 * nested message needs a reader of its own. Not thread-safe; allocates nothing.
 */
public final class WireReader {
    /** Wire type of integers of variable length. */
    public static final int VARINT = 0;

    /** Wire type of 8 bytes. */
    public static final int FIXED64 = 1;

    /** Wire type of text, messages and packed arrays. */
    public static final int LENGTH = 2;

    /** Maximum nesting of messages and groups. */
    static final int NESTING_MAX = 32;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, LITTLE_ENDIAN);

    private static final int GROUP = 3;
    private static final int GROUP_END = 4;
    private static final int FIXED32 = 5;
    private static final int TYPE_BITS = 3;
    private static final int TYPE_MASK = 7;

    /** Length of the longest varint; its bits above 64 are dropped. */
    static final int VARINT_BYTES_MAX = 10;

    private static final int VARINT_BITS_MAX = 7 * VARINT_BYTES_MAX;

    /** Numbers of the open groups. */
    private final int[] groups;

    private byte[] bytes;
    private int position;
    private int end;
    private boolean isBroken;
    private int tag;
    private long value;
    private int offset;
    private int length;

    /** Creates a reader for messages without nesting limits of their own. */
    public WireReader() {
        this(0);
    }

    /**
     * Creates a reader for messages of one nesting level.
     *
     * @param level number of messages around the read message
     */
    WireReader(int level) {
        groups = new int[NESTING_MAX - level];
    }

    /** Returns the tag of a field: its number with the wire type. */
    public static int tagOf(int number, int type) {
        return number << TYPE_BITS | type;
    }

    /**
     * Begins a message.
     *
     * @param source array with the message
     * @param from index of the first byte
     * @param limit index after the last byte
     */
    @HotPath
    public void open(byte[] source, int from, int limit) {
        if (bytes != source) {
            bytes = source; // conditional, because writing a reference costs a GC barrier
        }
        position = from;
        end = limit;
        isBroken = false;
    }

    /** Drops the reference to the array. */
    public void release() {
        bytes = null;
        position = 0;
        end = 0;
    }

    /** Reads the next field; returns false at the end of the message, and at a malformed field. */
    @HotPath
    public boolean next() {
        if (position >= end || isBroken) {
            return false;
        }
        tag = readTag();
        return !isBroken && readValue(tag) && (tag & TYPE_MASK) != GROUP_END && !isBroken;
    }

    private int readTag() {
        int read = bytes[position] > 0 ? bytes[position++] : (int) varint();
        if (read >>> TYPE_BITS == 0) {
            isBroken = true;
        }
        return read;
    }

    private boolean readValue(int read) {
        switch (read & TYPE_MASK) {
            case VARINT -> value = varint();
            case FIXED64 -> fixed(Long.BYTES);
            case LENGTH -> chunk();
            case GROUP -> skipGroup(read >>> TYPE_BITS);
            case FIXED32 -> fixed(Integer.BYTES);
            default -> isBroken = true; // the end of a group that never began, and two unassigned types
        }
        return !isBroken;
    }

    private long varint() {
        long result = 0;
        for (int shift = 0; shift < VARINT_BITS_MAX && position < end; shift += 7) {
            byte b = bytes[position++];
            result |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                return result;
            }
        }
        isBroken = true;
        return 0;
    }

    private void fixed(int size) {
        if (end - position < size) {
            isBroken = true;
            return;
        }
        value = size == Long.BYTES ? (long) LONGS.get(bytes, position) : (int) INTS.get(bytes, position);
        position += size;
    }

    private void chunk() {
        int announced = (int) varint();
        if (announced < 0 || announced > end - position) {
            isBroken = true;
            return;
        }
        offset = position;
        length = announced;
        position += announced;
    }

    private void skipGroup(int number) {
        int open = 0;
        int next = number;
        do {
            if (next != 0) {
                if (open == groups.length) {
                    isBroken = true;
                    return;
                }
                groups[open++] = next;
            }
            next = 0;
            if (position >= end) {
                isBroken = true;
                return;
            }
            int inner = readTag();
            int type = inner & TYPE_MASK;
            if (type == GROUP) {
                next = inner >>> TYPE_BITS;
            } else if (type == GROUP_END) {
                isBroken |= groups[--open] != inner >>> TYPE_BITS;
            } else if (!isBroken) {
                readValue(inner);
            }
        } while (!isBroken && (open > 0 || next != 0));
    }

    /** Reads the next element of a packed array of varints; returns false at the end, and at a malformed element. */
    @HotPath
    public boolean nextElement() {
        if (position >= end || isBroken) {
            return false;
        }
        value = varint();
        return !isBroken;
    }

    /** Tag of the current field. */
    public int tag() {
        return tag;
    }

    /** Number in the current field, or current element. */
    public long value() {
        return value;
    }

    /** Index of the first byte of the current text, message or array. */
    public int offset() {
        return offset;
    }

    /** Length of the current text, message or array in bytes. */
    public int length() {
        return length;
    }

    /** Index after the current field. */
    public int position() {
        return position;
    }

    /** Returns whether the reader met a malformed field. */
    public boolean isBroken() {
        return isBroken;
    }
}
