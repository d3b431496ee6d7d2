package io.chimera.common.wire.kryo;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;

/**
 * Kryo input that checks every declared length: a declared element count above the number of remaining bytes is an
 * error, raised before any allocation. (An element takes at least one byte.)
 */
final class BoundedInput extends Input {
    /** Checks an element count against the remaining bytes. */
    int checked(int elements) {
        if (elements < 0 || elements > limit - position) {
            throw new KryoException(
                    "Declared " + elements + " elements, but only " + (limit - position) + " bytes remain.");
        }
        return elements;
    }

    /** Checks the element count at the current position. The encoded count is one higher where null is possible. */
    void checkCountAhead() {
        int start = position;
        int count = readVarInt(true);
        checked(Math.max(0, count - 1));
        position = start;
        if (count < 0) {
            throw new KryoException("Invalid element count " + count + ".");
        }
    }

    @Override
    public String readString() {
        int start = position;
        if (readVarIntFlag()) {
            int characters = readVarIntFlag(true);
            if (characters != 0) { // 0 encodes null; other values are the length plus one
                checked(characters - 1);
            }
        }
        position = start;
        return super.readString();
    }
}
