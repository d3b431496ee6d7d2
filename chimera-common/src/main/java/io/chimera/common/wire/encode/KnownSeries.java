package io.chimera.common.wire.encode;

import io.chimera.api.HotPath;
import java.util.Arrays;
import net.openhft.hashing.LongHashFunction;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Long2LongHashMap;

/**
 * Cache of the series known to an encoder, indexed by key and by source text. Senders nearly always repeat their series
 * in the same order, so the successor of the previous text is compared first; a hit costs one comparison. All data are
 * in a few arrays and addressed by index, so learning and forgetting create no garbage. The cache is bounded; at the
 * bound the cache drops all entries and learns again. Not thread-safe; allocates only to grow the arrays.
 */
final class KnownSeries {
    /** Marks a missing index or length. */
    static final int NONE = -1;

    /** Bound of the bytes for definitions and texts: about 30,000 series with ten tags. */
    static final int BYTES_MAX = 12 << 20;

    /**
     * Maximum number of series, and of texts. With about 130 bytes per entry in arrays and maps, the cache stays below
     * 20 MiB.
     */
    private static final int ENTRIES_MAX = 1 << 16;

    /** Maximum length of a cached text. A longer text is parsed each time and rarely repeats. */
    private static final int TEXT_LENGTH_MAX = 4 << 10;

    private static final int BYTES_FIRST = 64 << 10;
    private static final int ENTRIES_FIRST = 128;

    private static final LongHashFunction XX3 = LongHashFunction.xx3();

    /** Concatenated definitions and texts. */
    private byte[] bytes = new byte[BYTES_FIRST];

    private int used;

    private final Long2LongHashMap seriesByKey = new Long2LongHashMap(NONE);
    private int seriesCount;
    private int[] definitions = new int[ENTRIES_FIRST];
    private int[] definitionLengths = new int[ENTRIES_FIRST];

    /** Field set of the last record of each series. A guess only: the field set may already be dropped. */
    private FieldSet[] fields = new FieldSet[ENTRIES_FIRST];

    /** Body with the latest definition of each series; {@code numbers} has the numbers of these definitions. */
    private long[] definedIn = new long[ENTRIES_FIRST];

    private int[] numbers = new int[ENTRIES_FIRST];

    /** Source texts of series; several texts may denote one series. */
    private final Long2LongHashMap textsByHash = new Long2LongHashMap(NONE);

    private int textCount;
    private int[] texts = new int[ENTRIES_FIRST];
    private int[] textLengths = new int[ENTRIES_FIRST];
    private int[] seriesOfTexts = new int[ENTRIES_FIRST];

    /** Successor of each text in the order of arrival. */
    private int[] successors = new int[ENTRIES_FIRST];

    /** Text of the last hit. */
    private int last = NONE;

    /** Hash of the last looked-up text. */
    private long textHash;

    KnownSeries() {}

    /**
     * Compares a text with the successor of the last text.
     *
     * @return length of the matching text, or -1
     */
    @HotPath
    int ahead(byte[] source, int offset, int limit) {
        int next = last == NONE ? NONE : successors[last];
        if (next == NONE || limit - offset < textLengths[next] || !isText(next, source, offset)) {
            return NONE;
        }
        last = next;
        return textLengths[next];
    }

    private boolean isText(int text, byte[] source, int offset) {
        int length = textLengths[text];
        return Arrays.equals(bytes, texts[text], texts[text] + length, source, offset, offset + length);
    }

    /** Looks up a text; returns false for an unknown text. */
    @HotPath
    boolean find(byte[] source, int offset, int length) {
        if (length > TEXT_LENGTH_MAX) {
            return false;
        }
        textHash = XX3.hashBytes(source, offset, length);
        int found = (int) textsByHash.get(textHash);
        if (found == NONE || textLengths[found] != length || !isText(found, source, offset)) {
            return false;
        }
        follow(found);
        return true;
    }

    private void follow(int text) {
        if (last != NONE) {
            successors[last] = text;
        }
        last = text;
    }

    /** Series of the last text hit. */
    int found() {
        return seriesOfTexts[last];
    }

    /**
     * Returns the series with a key, learning a new series and its source text. The caller must have called {@link
     * #find} for the same text without a hit, because this method uses the hash of the last looked-up text.
     *
     * @param length length of the text in bytes; 0 without a text
     */
    @HotPath
    int learn(KeyBuilder key, byte[] source, int offset, int length) {
        int textLength = length > TEXT_LENGTH_MAX ? 0 : length;
        makeRoom(key.length() + textLength);
        int known = (int) seriesByKey.get(key.hash());
        int series = known != NONE && isSame(known, key) ? known : add(key);
        if (textLength > 0) {
            addText(source, offset, textLength, series);
        }
        return series;
    }

    /** Returns whether the cache has a series with the key. */
    @HotPath
    boolean knows(KeyBuilder key) {
        int series = (int) seriesByKey.get(key.hash());
        return series != NONE && isSame(series, key);
    }

    private boolean isSame(int series, KeyBuilder key) {
        int from = definitions[series];
        return definitionLengths[series] == key.length()
                && Arrays.equals(bytes, from, from + key.length(), key.bytes(), 0, key.length());
    }

    private int add(KeyBuilder key) {
        if (seriesCount == definitions.length) {
            growSeries();
        }
        int series = seriesCount++;
        definitions[series] = keep(key.bytes(), 0, key.length());
        definitionLengths[series] = key.length();
        definedIn[series] = 0;
        seriesByKey.put(key.hash(), series); // of two keys with the same hash the cache keeps the later
        return series;
    }

    private void addText(byte[] source, int offset, int length, int series) {
        if (textCount == texts.length) {
            growTexts();
        }
        int text = textCount++;
        texts[text] = keep(source, offset, length);
        textLengths[text] = length;
        seriesOfTexts[text] = series;
        successors[text] = NONE;
        textsByHash.put(textHash, text);
        follow(text);
    }

    private int keep(byte[] source, int offset, int length) {
        int at = used;
        System.arraycopy(source, offset, bytes, at, length);
        used += length;
        return at;
    }

    /** Makes room for a series and a text with this total length; drops all entries at the bound. */
    private void makeRoom(int length) {
        if (used + length > BYTES_MAX || seriesCount == ENTRIES_MAX || textCount == ENTRIES_MAX) {
            forget();
        }
        if (used + length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.min(BYTES_MAX, Math.max(used + length, 2 * bytes.length)));
        }
    }

    /** Drops all series and texts. */
    void forget() {
        seriesByKey.clear();
        textsByHash.clear();
        seriesCount = 0;
        textCount = 0;
        used = 0;
        last = NONE;
    }

    private void growSeries() {
        int length = 2 * seriesCount;
        definitions = Arrays.copyOf(definitions, length);
        definitionLengths = Arrays.copyOf(definitionLengths, length);
        fields = Arrays.copyOf(fields, length);
        definedIn = Arrays.copyOf(definedIn, length);
        numbers = Arrays.copyOf(numbers, length);
    }

    private void growTexts() {
        int length = 2 * textCount;
        texts = Arrays.copyOf(texts, length);
        textLengths = Arrays.copyOf(textLengths, length);
        seriesOfTexts = Arrays.copyOf(seriesOfTexts, length);
        successors = Arrays.copyOf(successors, length);
    }

    /** Field set of the last record of a series, or null if unknown. */
    FieldSet fields(int series) {
        return fields[series];
    }

    @HotPath
    void fields(int series, FieldSet newFields) {
        if (fields[series] != newFields) {
            fields[series] = newFields; // skips the GC write barrier when the reference is unchanged
        }
    }

    /** Drops all references to field sets. */
    void forgetFields() {
        Arrays.fill(fields, null);
    }

    boolean isDefinedIn(int series, long body) {
        return definedIn[series] == body;
    }

    void define(int series, long body, int newNumber) {
        definedIn[series] = body;
        numbers[series] = newNumber;
    }

    /** Number of a series in the body with its latest definition. */
    int number(int series) {
        return numbers[series];
    }

    int definitionLength(int series) {
        return definitionLengths[series];
    }

    /** Copies the definition of a series into a buffer. */
    @HotPath
    void putDefinition(int series, MutableDirectBuffer target, int offset) {
        target.putBytes(offset, bytes, definitions[series], definitionLengths[series]);
    }
}
