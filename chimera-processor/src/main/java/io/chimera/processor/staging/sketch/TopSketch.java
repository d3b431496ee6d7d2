package io.chimera.processor.staging.sketch;

import io.chimera.processor.pipeline.TextCount;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.apache.datasketches.common.ArrayOfStringsSerDe;
import org.apache.datasketches.frequencies.ErrorType;
import org.apache.datasketches.frequencies.ItemsSketch;
import org.apache.datasketches.memory.Memory;

/**
 * Finds the most frequent texts (Misra and Gries, 1982, in the variant of Anderson et al., 2017): 384 texts with their
 * counts. Up to 384 different texts all counts are exact, in any order. With more texts, the rarest are dropped now and
 * then; the result is a function of the sequence of texts, and a count is too high by at most 0.7 % of the total.
 */
public final class TopSketch implements Sketch {
    /** Slots of the table, of which three quarters are used; the error is 3.5 / 512 of the total count. */
    static final int SLOTS = 512;

    private static final Comparator<TextCount> ORDER =
            Comparator.comparingLong(TextCount::count).reversed().thenComparing(TextCount::text);

    static {
        SketchMemory.load();
    }

    private final ItemsSketch<String> sketch;

    TopSketch() {
        sketch = new ItemsSketch<>(SLOTS);
    }

    TopSketch(byte[] image) {
        sketch = ItemsSketch.getInstance(Memory.wrap(image), new ArrayOfStringsSerDe());
    }

    @Override
    public void take(DirectBuffer items, int offset, int end) {
        int item = offset;
        while (item < end) {
            int length = items.getShort(item);
            int kept =
                    length == SketchKind.TEXT_LENGTH_MAX ? wholeCharacters(items, item + Short.BYTES, length) : length;
            sketch.update(items.getStringWithoutLengthUtf8(item + Short.BYTES, kept));
            item += Short.BYTES + length;
        }
    }

    /** Returns the bytes of a UTF-8 text after a possible cut, without an incomplete last character. */
    private static int wholeCharacters(DirectBuffer buffer, int text, int length) {
        int last = length - 1;
        while (last > 0 && (buffer.getByte(text + last) & 0xC0) == 0x80) {
            last--;
        }
        int first = buffer.getByte(text + last) & 0xFF;
        int whole = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        return last + whole <= length ? length : last;
    }

    @Override
    public void merge(Sketch from) {
        sketch.merge(((TopSketch) from).sketch);
    }

    @Override
    public byte[] image() {
        return sketch.toByteArray(new ArrayOfStringsSerDe());
    }

    /**
     * Returns the most frequent texts in descending order of frequency, and in alphabetical order for equal
     * frequencies.
     *
     * @param most maximum number of texts
     */
    public List<TextCount> top(int most) {
        return Stream.of(sketch.getFrequentItems(ErrorType.NO_FALSE_NEGATIVES))
                .map(row -> new TextCount(row.getItem(), row.getEstimate()))
                .sorted(ORDER)
                .limit(most)
                .toList();
    }
}
