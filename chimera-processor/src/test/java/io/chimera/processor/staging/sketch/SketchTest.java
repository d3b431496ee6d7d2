package io.chimera.processor.staging.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.processor.pipeline.TextCount;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** The error bounds promised in docs/plugins.md hold, and the grouping of values has no effect. */
final class SketchTest {
    private final Random random = new Random(42);

    private static void takeNumbers(Sketch sketch, List<Double> values) {
        UnsafeBuffer items = new UnsafeBuffer(new byte[8 * values.size()]);
        for (int i = 0; i < values.size(); i++) {
            items.putDouble(8 * i, values.get(i));
        }
        sketch.take(items, 0, items.capacity());
    }

    private static void takeTexts(Sketch sketch, List<String> texts) {
        UnsafeBuffer items = new UnsafeBuffer(new byte[200 * texts.size()]);
        int end = 0;
        for (String text : texts) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            items.putShort(end, (short) bytes.length);
            items.putBytes(end + 2, bytes);
            end += 2 + bytes.length;
        }
        sketch.take(items, 0, end);
    }

    private static List<Double> numbers(int count, DoubleSupplier source) {
        List<Double> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add(source.getAsDouble());
        }
        return numbers;
    }

    /** Encodes and decodes a sketch, as between two folds. */
    private static Sketch again(SketchKind kind, Sketch sketch) {
        byte[] image = sketch.image();
        assertThat(image).hasSizeLessThanOrEqualTo(SketchKind.IMAGE_LENGTH_MAX);
        return kind.read(image);
    }

    /** Splits values into pieces, encodes and decodes some of the pieces, and merges all pieces in random order. */
    private <T> Sketch grouped(SketchKind kind, List<T> values, Taker<T> taker) {
        List<T> shuffled = new ArrayList<>(values);
        Collections.shuffle(shuffled, random);
        List<Sketch> pieces = new ArrayList<>();
        for (int from = 0; from < shuffled.size(); ) {
            int to = Math.min(shuffled.size(), from + 1 + random.nextInt(shuffled.size()));
            Sketch piece = kind.create();
            taker.take(piece, shuffled.subList(from, to));
            pieces.add(random.nextBoolean() ? piece : again(kind, piece));
            from = to;
        }
        Sketch merged = kind.create();
        for (Sketch piece : pieces) {
            merged.merge(piece);
        }
        return random.nextBoolean() ? merged : again(kind, merged);
    }

    private interface Taker<T> {
        void take(Sketch sketch, List<T> values);
    }

    @Test
    void quantilesOfKnownDistributionsAreWithinOnePercent() {
        List<List<Double>> distributions = List.of(
                numbers(50_000, random::nextDouble),
                numbers(50_000, () -> Math.exp(3 * random.nextGaussian())),
                numbers(50_000, () -> Math.pow(1 - random.nextDouble(), -1.1)),
                numbers(50_000, random::nextGaussian),
                numbers(50_000, () -> (double) random.nextInt(5)),
                numbers(1, () -> -17.0));
        for (List<Double> values : distributions) {
            QuantileSketch sketch = new QuantileSketch();
            takeNumbers(sketch, values);
            double[] sorted =
                    values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            for (double share : new double[] {0.01, 0.5, 0.9, 0.99, 0.999}) {
                double exact = sorted[(int) (share * (sorted.length - 1))];
                assertThat(Math.abs(sketch.quantile(share) - exact))
                        .isLessThanOrEqualTo(Math.abs(exact) * QuantileSketch.ERROR_MAX * (1 + 1e-9));
            }
        }
    }

    @Test
    void quantilesDoNotDependOnHowNumbersAreGrouped() {
        List<Double> values =
                numbers(5_000, () -> Math.exp(20 * random.nextGaussian()) * (random.nextBoolean() ? 1 : -1));
        values.addAll(List.of(0.0, -0.0, Double.MAX_VALUE, -Double.MAX_VALUE, Double.MIN_VALUE));
        QuantileSketch whole = new QuantileSketch();
        takeNumbers(whole, values);
        for (int round = 0; round < 50; round++) {
            QuantileSketch other = (QuantileSketch) grouped(SketchKind.QUANTILES, values, SketchTest::takeNumbers);
            for (double share = 0; share <= 1; share += 0.01) {
                assertThat(other.quantile(share)).isEqualTo(whole.quantile(share));
            }
        }
    }

    @Test
    void distinctValuesAreCountedWithinFiveStandardErrors() {
        for (int distinct : new int[] {1, 10, 100, 1_000, 10_000, 100_000}) {
            DistinctSketch sketch = new DistinctSketch();
            takeNumbers(sketch, numbers(distinct, random::nextGaussian));
            double bound = distinct <= 100 ? 0.5 : 5 * 1.04 / Math.sqrt(1 << DistinctSketch.REGISTERS_LOG2) * distinct;
            assertThat((double) Math.abs(sketch.distinct() - distinct)).isLessThanOrEqualTo(bound);
        }
    }

    @Test
    void distinctValuesDoNotDependOnHowTheyAreGrouped() {
        for (int count : new int[] {5, 100, 300, 500, 5_000, 50_000}) {
            List<Double> values = numbers(count, random::nextDouble);
            values.addAll(values.subList(0, count / 2));
            DistinctSketch whole = new DistinctSketch();
            takeNumbers(whole, values);
            for (int round = 0; round < 20; round++) {
                DistinctSketch other = (DistinctSketch) grouped(SketchKind.DISTINCT, values, SketchTest::takeNumbers);
                assertThat(other.distinct()).isEqualTo(whole.distinct());
            }
        }
    }

    @Test
    void fewTextsAreCountedRightHoweverTheyAreGrouped() {
        List<String> texts = new ArrayList<>();
        Map<String, Long> counts = new TreeMap<>();
        for (int i = 0; i < 20_000; i++) {
            String text = "text-" + (int) Math.abs(random.nextGaussian() * 100) % 384;
            texts.add(text);
            counts.merge(text, 1L, Long::sum);
        }
        List<TextCount> exact = counts.entrySet().stream()
                .map(entry -> new TextCount(entry.getKey(), entry.getValue()))
                .sorted((a, b) ->
                        a.count() == b.count() ? a.text().compareTo(b.text()) : Long.compare(b.count(), a.count()))
                .limit(100)
                .toList();
        for (int round = 0; round < 20; round++) {
            TopSketch sketch = (TopSketch) grouped(SketchKind.TOP, texts, SketchTest::takeTexts);
            assertThat(sketch.top(100)).isEqualTo(exact);
        }
    }

    @Test
    void countsOfManyTextsAreTooHighByThreeAndAHalfPer512AtMost() {
        int all = 200_000;
        List<String> texts = new ArrayList<>();
        Map<String, Long> counts = new HashMap<>();
        for (int i = 0; i < all; i++) {
            String text = "t" + (long) Math.pow(1 - random.nextDouble(), -1.4);
            texts.add(text);
            counts.merge(text, 1L, Long::sum);
        }
        assertThat(counts).hasSizeGreaterThan(1_000);
        long bound = (long) (3.5 / TopSketch.SLOTS * all);
        TopSketch sketch = (TopSketch) grouped(SketchKind.TOP, texts, SketchTest::takeTexts);
        List<TextCount> top = sketch.top(10);
        assertThat(top).hasSize(10);
        assertThat(top).allSatisfy(text -> assertThat(text.count() - counts.get(text.text()))
                .isBetween(0L, bound));
        assertThat(top.subList(0, 5)).extracting(TextCount::text).containsExactly("t1", "t2", "t3", "t4", "t5");
    }

    @Test
    void longTextsAreCutBetweenCharacters() {
        byte[] cut = Arrays.copyOf(("x" + "é".repeat(100)).getBytes(StandardCharsets.UTF_8), 128);
        UnsafeBuffer items = new UnsafeBuffer(new byte[130]);
        items.putShort(0, (short) 128);
        items.putBytes(2, cut);
        TopSketch sketch = new TopSketch();
        sketch.take(items, 0, 130);
        assertThat(sketch.top(1)).containsExactly(new TextCount("x" + "é".repeat(63), 1));
    }
}
