package io.chimera.dataset.format.codec;

import io.chimera.dataset.format.ObjectBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads a few bytes at any offset of an object. One thread. */
final class ObjectPieces {
    private final ObjectBytes object;
    private final ByteBuffer piece = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);

    ObjectPieces(ObjectBytes object) {
        this.object = object;
    }

    long length() {
        return object.length();
    }

    /** The bytes of the most recent {@link #read}, from index 0 on. */
    ByteBuffer piece() {
        return piece;
    }

    /**
     * Reads bytes.
     *
     * @param countMax 1 to 32
     * @return number of bytes; less than wished at the end of the object
     */
    int read(long offset, int countMax) throws IOException {
        piece.clear().limit(countMax);
        while (piece.hasRemaining() && object.read(offset + piece.position(), piece) >= 0) {
            // goes on until the piece is full, or the object ends
        }
        int count = piece.position();
        piece.clear();
        return count;
    }

    /** Returns whether a frame may end at an offset: at the end of the object, or before the next frame. */
    boolean isAfterFrame(long offset, int magic) throws IOException {
        if (offset >= length()) {
            return offset == length();
        }
        if (read(offset, Integer.BYTES) < Integer.BYTES) {
            return false;
        }
        int next = piece.getInt(0);
        return next == magic || SkippableFrame.isMagic(next);
    }
}
