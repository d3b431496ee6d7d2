package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import org.agrona.DirectBuffer;

/**
 * Reads the definition of a series in place; see {@link BodyLayout}. Callers walk the tags by offset, from {@link
 * #firstTag()} with {@link #nextTag}, {@link #tagCount()} times. Not thread-safe; allocates nothing.
 */
public final class SeriesFlyweight extends EntryFlyweight {
    /** Creates a flyweight without a buffer. */
    public SeriesFlyweight() {}

    /**
     * Wraps this flyweight over a validated definition.
     *
     * @param source holds the definition
     * @param start index of the first byte
     * @return this
     */
    @HotPath
    public SeriesFlyweight wrap(DirectBuffer source, int start) {
        lay(source, start);
        return this;
    }

    /**
     * Returns whether the bytes under this flyweight form a complete series definition: all lengths within bounds.
     *
     * @param available bytes from the start to the end of the received data
     */
    @HotPath
    public boolean isWhole(int available) {
        if (available < BodyLayout.KEY || Entries.kind(buffer, offset) != BodyLayout.SERIES) {
            return false;
        }
        int length = length();
        int keyLength = keyLength();
        return length > BodyLayout.KEY
                && length <= Math.min(available, BodyLayout.LENGTH_MAX)
                && keyLength >= 2
                && keyLength <= length - BodyLayout.KEY
                && length == BodyLayout.align(BodyLayout.KEY + keyLength)
                && isKeyWhole();
    }

    private boolean isKeyWhole() {
        int end = keyOffset() + keyLength();
        int position = keyOffset();
        for (int i = 2 * tagCount(); i >= 0; i--) {
            if (end - position < 2) {
                return false;
            }
            position = nextText(position);
        }
        return position == end;
    }

    /**
     * Returns whether the bytes form a complete definition with the next expected number.
     *
     * @param available bytes from the start to the end of the received data
     * @param defined number of definitions since the last RESET
     */
    @HotPath
    public boolean isNext(int available, int defined) {
        return isWhole(available) && number() == defined;
    }

    /** Number of the series in record references. */
    public int number() {
        return buffer.getShort(offset + BodyLayout.DEFINITION_NUMBER, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Number of tags. */
    public int tagCount() {
        return buffer.getShort(offset + BodyLayout.DEFINITION_COUNT, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** {@link SeriesHash} of the key. */
    public long keyHash() {
        return buffer.getLong(offset + BodyLayout.KEY_HASH, LITTLE_ENDIAN);
    }

    /** Index of the key's first byte in {@link #buffer()}. */
    public int keyOffset() {
        return offset + BodyLayout.KEY;
    }

    /** Length of the key in bytes. */
    public int keyLength() {
        return buffer.getInt(offset + BodyLayout.KEY_LENGTH, LITTLE_ENDIAN);
    }

    /** Index of the metric's u16 size; the metric's bytes follow the size. */
    public int metric() {
        return keyOffset();
    }

    /** Index of the first tag: the u16 size of its name. */
    public int firstTag() {
        return nextText(keyOffset());
    }

    /** Index of the tag after the tag at the given index. */
    public int nextTag(int tag) {
        return nextText(nextText(tag));
    }

    /** Index of the u16 size of the value of the tag at the given index. */
    public int tagValue(int tag) {
        return nextText(tag);
    }

    /** Reads the size in bytes of the text (metric, tag name or tag value) at the given index. */
    public int sizeAt(int text) {
        return buffer.getShort(text, LITTLE_ENDIAN) & 0xFFFF;
    }

    private int nextText(int text) {
        return text + 2 + sizeAt(text);
    }
}
