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

    /** Returns whether bytes are a message of a type. Strings need not be UTF-8. */
    @HotPath
    public boolean isValid(byte[] bytes, int from, int end, WireShape shape) {
        return isValid(bytes, from, end, shape, 0);
    }

    private boolean isValid(byte[] bytes, int from, int end, WireShape shape, int level) {
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
            case VARINTS -> areVarints(bytes, from, end, level + 1);
            case FIXED64S -> field.length() % Long.BYTES == 0;
        };
    }

    private boolean areVarints(byte[] bytes, int from, int end, int level) {
        WireReader elements = levels[level];
        elements.open(bytes, from, end);
        boolean hasNext = true;
        while (hasNext) {
            hasNext = elements.nextElement();
        }
        return !elements.isBroken();
    }

    /** Drops the references to the array of the last message. */
    public void release() {
        for (WireReader reader : levels) {
            reader.release();
        }
    }
}
