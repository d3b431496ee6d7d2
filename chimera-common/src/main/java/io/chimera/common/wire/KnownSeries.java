package io.chimera.common.wire;

import io.chimera.api.HotPath;
import java.util.Arrays;
import net.openhft.hashing.LongHashFunction;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Long2LongHashMap;

/**
 * The series that an encoder has met, found by their key or by the text that they were read from. Senders repeat their
 * series in one order nearly always, so the text behind the last one is tried first: then a comparison is all that a
 * series costs. Everything is kept in a few arrays and named by its index, so that to learn and to forget makes no garbage.
 * What is known is bounded; at the bound it is forgotten, and learned again. Not thread-safe; allocates only while the
 * arrays grow.
 */
final class KnownSeries {
    /** Says that there is no such thing. */
    static final int NONE = -1;

    /** Definitions and texts: some 30,000 series of ten tags. */
    static final int BYTES_MAX = 12 << 20;

    /** With some 130 bytes for each, in arrays and maps, all that is kept stays below 20 MiB. */
    private static final int ENTRIES_MAX = 1 << 16;

    /** A longer text is read each time; as a rule it is one that never comes again. */
    private static final int TEXT_LENGTH_MAX = 4 << 10;

    private static final int BYTES_FIRST = 64 << 10;
    private static final int ENTRIES_FIRST = 128;

    private static final LongHashFunction XX3 = LongHashFunction.xx3();

    /** Definitions and texts, one behind the other. */
    private byte[] bytes = new byte[BYTES_FIRST];

    private int used;

    private final Long2LongHashMap seriesByKey = new Long2LongHashMap(NONE);
    private int seriesCount;
    private int[] definitions = new int[ENTRIES_FIRST];
    private int[] definitionLengths = new int[ENTRIES_FIRST];

    /** The fields of the last record of each series; perhaps of one that is forgotten: it is a guess. */
    private FieldSet[] fields = new FieldSet[ENTRIES_FIRST];

    /** Body in which a series was last defined, and its number there. */
    private long[] definedIn = new long[ENTRIES_FIRST];

    private int[] numbers = new int[ENTRIES_FIRST];

    /** Texts that series were read from; several may mean one series. */
    private final Long2LongHashMap textsByHash = new Long2LongHashMap(NONE);

    private int textCount;
    private int[] texts = new int[ENTRIES_FIRST];
    private int[] textLengths = new int[ENTRIES_FIRST];
    private int[] seriesOfTexts = new int[ENTRIES_FIRST];

    /** The text that came behind each one. */
    private int[] successors = new int[ENTRIES_FIRST];

    /** The text that was found last. */
    private int last = NONE;

    /** Hash of the text that was looked up last. */
    private long textHash;

    KnownSeries() {}

    /**
     * Looks whether a text begins as the one that came behind the last one before.
     *
     * @return its length, or -1
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

    /** Looks a text up; false when it is not known. */
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

    /** The series of the text that was found last. */
    int found() {
        return seriesOfTexts[last];
    }

    /**
     * The series with a key; learns it when it is new, and the text that it was read from, for which {@link #find} has just
     * been asked in vain.
     *
     * @param length bytes of the text; 0 when there is none
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

    /** Whether a series is known by its key. */
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
        seriesByKey.put(key.hash(), series); // of two keys with one hash the later is known
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

    /** Makes room for a series and a text of so many bytes, if need be by forgetting all others. */
    private void makeRoom(int length) {
        if (used + length > BYTES_MAX || seriesCount == ENTRIES_MAX || textCount == ENTRIES_MAX) {
            forget();
        }
        if (used + length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.min(BYTES_MAX, Math.max(used + length, 2 * bytes.length)));
        }
    }

    /** Forgets all series and texts. */
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

    /** The fields that the last record of a series had, as far as is known; or null. */
    FieldSet fields(int series) {
        return fields[series];
    }

    @HotPath
    void fields(int series, FieldSet newFields) {
        if (fields[series] != newFields) {
            fields[series] = newFields; // a reference that is written costs the garbage collector's barrier
        }
    }

    /** Lets go of all sets of fields. */
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

    /** Number of a series in the body in which it was last defined. */
    int number(int series) {
        return numbers[series];
    }

    int definitionLength(int series) {
        return definitionLengths[series];
    }

    /** Writes the definition of a series. */
    @HotPath
    void putDefinition(int series, MutableDirectBuffer target, int offset) {
        target.putBytes(offset, bytes, definitions[series], definitionLengths[series]);
    }
}
