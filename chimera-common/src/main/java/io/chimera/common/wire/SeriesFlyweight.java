package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

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

    /**
     * Writes a definition.
     *
     * @param to target buffer
     * @param at index of the first byte in the target buffer
     * @param number number of the definition
     * @param tagCount number of tags in the key
     * @param keyHash {@link SeriesHash} of the key
     * @param key buffer with the key
     * @param keyOffset index of the first byte of the key
     * @param keyLength length of the key in bytes
     * @return length of the definition in bytes
     */
    public static int put(
            MutableDirectBuffer to,
            int at,
            int number,
            int tagCount,
            long keyHash,
            DirectBuffer key,
            int keyOffset,
            int keyLength) {
        int length = BodyLayout.align(BodyLayout.KEY + keyLength);
        to.putLong(at + length - Long.BYTES, 0); // the padding
        to.putInt(at, length | BodyLayout.SERIES, LITTLE_ENDIAN);
        to.putShort(at + BodyLayout.DEFINITION_COUNT, (short) tagCount, LITTLE_ENDIAN);
        Entries.number(to, at, number);
        to.putLong(at + BodyLayout.KEY_HASH, keyHash, LITTLE_ENDIAN);
        to.putInt(at + BodyLayout.KEY_LENGTH, keyLength, LITTLE_ENDIAN);
        to.putInt(at + BodyLayout.KEY_LENGTH + Integer.BYTES, 0);
        to.putBytes(at + BodyLayout.KEY, key, keyOffset, keyLength);
        return length;
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
