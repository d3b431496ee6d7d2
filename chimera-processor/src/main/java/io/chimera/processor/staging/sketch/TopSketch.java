package io.chimera.processor.staging.sketch;

import io.chimera.processor.TextCount;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.apache.datasketches.common.ArrayOfStringsSerDe;
import org.apache.datasketches.frequencies.ErrorType;
import org.apache.datasketches.frequencies.ItemsSketch;
import org.apache.datasketches.memory.Memory;

/**
 * The most frequent texts (Misra and Gries, 1982, as Anderson et al. do it, 2017): 384 of them with their counts. Up to that
 * many different texts every count is right, in any order. With more the rarest are given up now and then; what is left is
 * a function of the texts in their order, and a count is too high by 0.7 % of all of them at most.
 */
public final class TopSketch implements Sketch {
    /** Slots of the table, three quarters of which are used; the error is 3.5 / 512 of all counts. */
    static final int SLOTS = 512;

    private static final Comparator<TextCount> ORDER =
            Comparator.comparingLong(TextCount::count).reversed().thenComparing(TextCount::text);

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

    /** Bytes of a text in UTF-8 that may be cut, without a last character that was. */
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
     * The most frequent texts, the most frequent one first; of equally frequent ones that which is first in the alphabet.
     *
     * @param most how many at most
     */
    public List<TextCount> top(int most) {
        return Stream.of(sketch.getFrequentItems(ErrorType.NO_FALSE_NEGATIVES))
                .map(row -> new TextCount(row.getItem(), row.getEstimate()))
                .sorted(ORDER)
                .limit(most)
                .toList();
    }
}
