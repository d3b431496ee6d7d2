package io.chimera.common.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import org.agrona.DirectBuffer;

/**
 * Reads the definition of a series in place; see {@link BodyLayout}. Tags are walked by their offsets: start with
 * {@link #firstTag()} and step with {@link #nextTag} as often as the count says. Not thread-safe; allocates nothing.
 */
public final class SeriesFlyweight extends EntryFlyweight {
    /** A flyweight over nothing yet. */
    public SeriesFlyweight() {}

    /**
     * Lays this flyweight over a definition that is known to be whole.
     *
     * @param source holds the definition
     * @param start index of its first byte
     * @return this
     */
    @HotPath
    public SeriesFlyweight wrap(DirectBuffer source, int start) {
        lay(source, start);
        return this;
    }

    /**
     * Whether the bytes under this flyweight are a whole definition of a series: every length inside of it.
     *
     * @param available bytes from its start to the end of what was received
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
     * Whether it is a whole definition, and the one that has to follow those before it.
     *
     * @param available bytes from its start to the end of what was received
     * @param defined number of definitions since the last RESET
     */
    @HotPath
    public boolean isNext(int available, int defined) {
        return isWhole(available) && number() == defined;
    }

    /** The number by which records name the series. */
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

    /** Bytes of the key. */
    public int keyLength() {
        return buffer.getInt(offset + BodyLayout.KEY_LENGTH, LITTLE_ENDIAN);
    }

    /** Index of the metric's size (u16), which its bytes follow. */
    public int metric() {
        return keyOffset();
    }

    /** Index of the first tag: the size (u16) of its name. */
    public int firstTag() {
        return nextText(keyOffset());
    }

    /** Index of the tag behind the one at the given index. */
    public int nextTag(int tag) {
        return nextText(nextText(tag));
    }

    /** Index of the size of the value of the tag at the given index. */
    public int tagValue(int tag) {
        return nextText(tag);
    }

    /** Size in bytes of the text (metric, tag name or tag value) whose size stands at the given index. */
    public int sizeAt(int text) {
        return buffer.getShort(text, LITTLE_ENDIAN) & 0xFFFF;
    }

    private int nextText(int text) {
        return text + 2 + sizeAt(text);
    }
}
