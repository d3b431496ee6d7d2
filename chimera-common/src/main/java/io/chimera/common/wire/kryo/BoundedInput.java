package io.chimera.common.wire.kryo;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;

/**
 * Input that never believes a length: what claims to have more elements than there are bytes left is broken, and is
 * refused before anything is allocated for it. (An element takes at least one byte.)
 */
final class BoundedInput extends Input {
    /** Refuses a number of elements that cannot be there. */
    int checked(int elements) {
        if (elements < 0 || elements > limit - position) {
            throw new KryoException(
                    "Claims " + elements + " elements where " + (limit - position) + " bytes are left.");
        }
        return elements;
    }

    /** Checks the element count at the present position, which counts one more where null is possible. */
    void checkCountAhead() {
        int start = position;
        int count = readVarInt(true);
        checked(Math.max(0, count - 1));
        position = start;
        if (count < 0) {
            throw new KryoException("Claims " + count + " elements.");
        }
    }

    @Override
    public String readString() {
        int start = position;
        if (readVarIntFlag()) {
            int characters = readVarIntFlag(true);
            if (characters != 0) { // 0 stands for null, the others count one more
                checked(characters - 1);
            }
        }
        position = start;
        return super.readString();
    }
}
