package io.chimera.common.wire;

import io.chimera.api.HotPath;
import java.util.Arrays;
import net.openhft.hashing.LongHashFunction;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The series that an encoder has met, found by their key or by the text that they were read from. Senders repeat their
 * series in one order nearly always, so the text behind the last one is tried first: then a comparison is all that a
 * series costs. What is known is bounded; at the bound it is forgotten, and learned again. Not thread-safe; allocates where
 * it learns.
 */
final class KnownSeries {
    /** 16 MiB: some 25,000 series of ten tags. */
    static final long BYTES_MAX = 16L << 20;

    /** A longer text is read each time; as a rule it is one that never comes again. */
    private static final int TEXT_LENGTH_MAX = 4 << 10;

    /** What an entry takes beside its bytes: two objects, two arrays' headers, two slots in maps half full. */
    private static final int OVERHEAD = 200;

    private static final int TEXTS_FIRST = 64;
    private static final int NONE = -1;

    private static final LongHashFunction XX3 = LongHashFunction.xx3();

    /** A series. */
    static final class Series {
        private final byte[] definition;
        private FieldSet fields;
        private long definedIn;
        private int number;

        private Series(byte[] definition) {
            this.definition = definition;
        }

        byte[] definition() {
            return definition;
        }

        /** The fields that its last record had; null before there was one. */
        FieldSet fields() {
            return fields;
        }

        void fields(FieldSet newFields) {
            if (fields != newFields) {
                fields = newFields; // a reference that is written costs the garbage collector's barrier
            }
        }

        boolean isDefinedIn(long body) {
            return definedIn == body;
        }

        void define(long body, int newNumber) {
            definedIn = body;
            number = newNumber;
        }

        int number() {
            return number;
        }
    }

    /** A text that a series was read from; several may mean one series. */
    private static final class Text {
        private final byte[] bytes;
        private final Series series;
        private final int index;
        private Text successor;

        Text(byte[] bytes, Series series, int index) {
            this.bytes = bytes;
            this.series = series;
            this.index = index;
        }

        boolean isAt(byte[] source, int offset, int limit) {
            return limit - offset >= bytes.length
                    && Arrays.equals(bytes, 0, bytes.length, source, offset, offset + bytes.length);
        }
    }

    private final Long2ObjectHashMap<Series> byKey = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<Text> byText = new Long2ObjectHashMap<>();
    private long bytesUsed;

    private Text[] texts = new Text[TEXTS_FIRST];
    private int textCount;

    /** Index of the text that was found last: a reference that is written costs the garbage collector's barrier. */
    private int last = NONE;

    /**
     * Looks whether a text begins as the one that came behind the last one before.
     *
     * @return its length, or -1
     */
    @HotPath
    int ahead(byte[] bytes, int offset, int limit) {
        Text next = last == NONE ? null : texts[last].successor;
        if (next == null || !next.isAt(bytes, offset, limit)) {
            return -1;
        }
        last = next.index;
        return next.bytes.length;
    }

    /** Looks a text up; false when it is not known. */
    @HotPath
    boolean find(byte[] bytes, int offset, int length) {
        if (length > TEXT_LENGTH_MAX) {
            return false;
        }
        Text found = byText.get(XX3.hashBytes(bytes, offset, length));
        if (found == null || found.bytes.length != length || !found.isAt(bytes, offset, offset + length)) {
            return false;
        }
        follow(found);
        return true;
    }

    private void follow(Text text) {
        if (last != NONE && texts[last].successor != text) {
            texts[last].successor = text;
        }
        last = text.index;
    }

    /** The series of the text that was found last. */
    Series found() {
        return texts[last].series;
    }

    /** The series with a key; learns it when it is new. */
    @HotPath
    Series ofKey(KeyBuilder key) {
        Series known = byKey.get(key.hash());
        return known != null && isSame(known, key) ? known : learn(key);
    }

    private static boolean isSame(Series known, KeyBuilder key) {
        byte[] definition = known.definition;
        return definition.length == key.length()
                && Arrays.equals(definition, 0, definition.length, key.bytes(), 0, key.length());
    }

    private Series learn(KeyBuilder key) {
        makeRoom(key.length());
        Series series = new Series(Arrays.copyOf(key.bytes(), key.length()));
        byKey.put(key.hash(), series); // of two keys with one hash the later is known
        return series;
    }

    /** Learns the text that a series was read from. */
    void learn(byte[] bytes, int offset, int length, Series series) {
        if (length <= TEXT_LENGTH_MAX) {
            makeRoom(length);
            if (textCount == texts.length) {
                texts = Arrays.copyOf(texts, 2 * textCount);
            }
            Text text = new Text(Arrays.copyOfRange(bytes, offset, offset + length), series, textCount);
            texts[textCount++] = text;
            byText.put(XX3.hashBytes(bytes, offset, length), text);
            follow(text);
        }
    }

    private void makeRoom(int length) {
        long needed = (long) OVERHEAD + length;
        bytesUsed += needed;
        if (bytesUsed > BYTES_MAX) {
            byKey.clear();
            byText.clear();
            Arrays.fill(texts, 0, textCount, null);
            textCount = 0;
            last = NONE;
            bytesUsed = needed;
        }
    }
}
