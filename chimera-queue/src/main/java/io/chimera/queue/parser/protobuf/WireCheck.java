package io.chimera.queue.parser.protobuf;

import io.chimera.api.HotPath;

/**
 * Checks a whole message before its first field is used, so that a malformed message has no effect at all. Not
 * thread-safe; allocates nothing.
 */
public final class WireCheck {
    private static final int NUMBER_SHIFT = 3;
    private static final int TYPE_MASK = 7;

    /** One reader per nesting level. */
    private final WireReader[] levels = new WireReader[WireReader.NESTING_MAX];

    /** Creates a check without a message. */
    public WireCheck() {
        for (int i = 0; i < levels.length; i++) {
            levels[i] = new WireReader(i);
        }
    }

    /**
     * Returns whether bytes are a message of a type. Strings need not be UTF-8.
     *
     * @param level number of messages around the message
     */
    @HotPath
    public boolean isValid(byte[] bytes, int from, int end, WireShape shape, int level) {
        if (level == levels.length) {
            return false;
        }
        WireReader reader = levels[level];
        reader.open(bytes, from, end);
        while (reader.next()) {
            int tag = reader.tag();
            if ((tag & TYPE_MASK) == WireReader.LENGTH && !isValid(bytes, reader, shape, tag >>> NUMBER_SHIFT, level)) {
                return false;
            }
        }
        return !reader.isBroken();
    }

    private boolean isValid(byte[] bytes, WireReader field, WireShape shape, int number, int level) {
        int from = field.offset();
        int end = from + field.length();
        return switch (shape.contentOf(number)) {
            case ANY -> true;
            case MESSAGE -> isValid(bytes, from, end, shape.nested(number), level + 1);
            case VARINTS -> areVarints(bytes, from, end);
            case FIXED64S -> field.length() % Long.BYTES == 0;
        };
    }

    /** Returns whether every varint has at most 10 bytes, and the last one ends with the range. */
    @HotPath
    public static boolean areVarints(byte[] bytes, int from, int end) {
        int length = 0;
        for (int i = from; i < end; i++) {
            length = bytes[i] < 0 ? length + 1 : 0;
            if (length == WireReader.VARINT_BYTES_MAX) {
                return false;
            }
        }
        return length == 0;
    }

    /** Drops the references to the array of the last message. */
    public void release() {
        for (WireReader reader : levels) {
            reader.release();
        }
    }
}
