package io.chimera.dataset.format.codec;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.format.ObjectBytes;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Content of an object without compression. Allocates nothing after construction. */
final class PlainContent implements SplitContent {
    private final ObjectBytes object;
    private final long to;
    private long position;
    private boolean isInSplit = true;

    PlainContent(ObjectBytes object, ByteRange range) {
        this.object = object;
        this.to = range.to();
        this.position = range.from();
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        isInSplit = position < to;
        int limit = into.limit();
        if (isInSplit && into.remaining() > to - position) {
            into.limit(into.position() + (int) (to - position));
        }
        int count = object.read(position, into);
        into.limit(limit);
        if (count < 0) {
            if (position < object.length()) {
                throw new FormatException(
                        object.path() + ": the object ends at offset " + position + " instead of " + object.length()
                                + "; list the data set again",
                        null);
            }
            return -1;
        }
        position += count;
        return count;
    }

    @Override
    public boolean isInSplit() {
        return isInSplit;
    }

    @Override
    public void close() {
        // nothing to release
    }
}
