package io.chimera.processor.staging.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.chimera.common.wire.HistogramBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Sums of histograms do not depend on order and grouping, and their quantiles keep the bounds of the buckets. */
final class HistogramSketchTest {
    private static final double[] SHARES = {0, 0.01, 0.25, 0.5, 0.9, 0.99, 1};

    private final Random random = new Random(42);

    private static HistogramSketch taken(List<byte[]> histograms) {
        HistogramSketch sketch = (HistogramSketch) SketchKind.HISTOGRAMS.create();
        int length = histograms.stream()
                .mapToInt(bytes -> HistogramSketch.itemLength(bytes.length))
                .sum();
        UnsafeBuffer items = new UnsafeBuffer(new byte[length]);
        int at = 0;
        for (byte[] bytes : histograms) {
            items.putLong(at, bytes.length);
            items.putBytes(at + HistogramSketch.PREFIX, bytes);
            at += HistogramSketch.itemLength(bytes.length);
        }
        sketch.take(items, 0, at);
        return sketch;
    }

    private HistogramSketch grouped(List<byte[]> histograms) {
        List<byte[]> shuffled = new ArrayList<>(histograms);
        Collections.shuffle(shuffled, random);
        HistogramSketch merged = (HistogramSketch) SketchKind.HISTOGRAMS.create();
        for (int from = 0; from < shuffled.size(); ) {
            int to = Math.min(shuffled.size(), from + 1 + random.nextInt(shuffled.size()));
            HistogramSketch piece = taken(shuffled.subList(from, to));
            merged.merge(random.nextBoolean() ? piece : SketchKind.HISTOGRAMS.read(piece.image()));
            from = to;
        }
        return merged;
    }

    private double[] numbers(int count, double spread) {
        double[] numbers = new double[count];
        for (int i = 0; i < count; i++) {
            int kind = random.nextInt(20);
            double size = Math.exp(spread * random.nextGaussian());
            numbers[i] = kind == 0 ? 0 : kind < 5 ? -size : size;
        }
        return numbers;
    }

    @Test
    void sumsDoNotDependOnHowHistogramsAreGrouped() {
        for (double spread : new double[] {0.1, 2, 40, 150}) {
            List<byte[]> histograms = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                int scale = random.nextInt(spread > 2 ? 6 : 9) - 4; // bytes of wider ones are too many
                histograms.add(HistogramBytes.exponential(scale, numbers(10, spread)));
                histograms.add(HistogramBytes.explicit(
                        new double[] {-1, 0.5 * (1 + random.nextInt(2)), 2, 3 + random.nextInt(3), 10},
                        numbers(5, spread)));
            }
            byte[] whole = taken(histograms).image();
            assertThat(whole).hasSizeLessThanOrEqualTo(SketchKind.IMAGE_LENGTH_MAX);
            for (int round = 0; round < 30; round++) {
                assertThat(grouped(histograms).image()).isEqualTo(whole);
            }
        }
    }

    @Test
    void quantilesKeepTheBoundsOfTheBuckets() {
        for (int scale : new int[] {0, 3, 5}) {
            double base = Math.pow(2, Math.pow(2, -scale));
            List<byte[]> histograms = new ArrayList<>();
            double[] all = new double[0];
            for (int i = 0; i < 100; i++) {
                double[] numbers = numbers(50, 0.5);
                histograms.add(HistogramBytes.exponential(scale, numbers));
                all = Arrays.copyOf(all, all.length + numbers.length);
                System.arraycopy(numbers, 0, all, all.length - numbers.length, numbers.length);
            }
            Arrays.sort(all);
            HistogramSketch sketch = taken(histograms);
            for (double share : SHARES) {
                double exact = all[(int) (share * (all.length - 1))];
                double error = Math.abs(exact) * (Math.sqrt(base) - 1) * (1 + 1e-9);
                assertThat(sketch.quantile(share)).isCloseTo(exact, within(error));
            }
        }
    }

    @Test
    void aWideSumHasASmallerScale() {
        HistogramSketch sketch =
                taken(List.of(HistogramBytes.exponential(20, 1e-300), HistogramBytes.exponential(20, 1e300)));

        assertThat(sketch.quantile(0)).isCloseTo(1e-300, within(1e-300));
        assertThat(Math.log10(sketch.quantile(1))).isCloseTo(300, within(3.0));
        assertThat(Math.log10(sketch.quantile(0))).isCloseTo(-300, within(3.0));
    }

    @Test
    void explicitQuantilesAreOnALine() {
        double[] bounds = {10, 20, 40};
        HistogramSketch sketch = taken(List.of(HistogramBytes.explicit(bounds, 1, 2, 15, 15, 15, 15, 30, 99)));

        assertThat(sketch.quantile(0)).isEqualTo(2.5); // first half of (0, 10]
        assertThat(sketch.quantile(0.5)).isEqualTo(10 + 10 * 1.5 / 4);
        assertThat(sketch.quantile(1)).isEqualTo(40); // above the last bound
    }

    @Test
    void keepsTheBoundsThatAllHaveInCommon() {
        HistogramSketch sketch = taken(List.of(
                HistogramBytes.explicit(new double[] {1, 2, 3}, 0.5, 1.5, 2.5, 9),
                HistogramBytes.explicit(new double[] {2, 2.5, 3}, 1.5, 2.2)));
        HistogramSketch none = taken(List.of(
                HistogramBytes.explicit(new double[] {1}, 0.5), HistogramBytes.explicit(new double[] {2}, 0.5)));

        assertThat(sketch.quantile(0)).isCloseTo(2 * 0.5 / 3, within(1e-12)); // three numbers up to 2
        assertThat(sketch.quantile(0.7)).isBetween(2.0, 3.0);
        assertThat(none.quantile(0.5)).isNaN();
    }

    @Test
    void isAddedToNumbers() {
        QuantileSketch numbers = (QuantileSketch) SketchKind.QUANTILES.create();
        taken(List.of(
                        HistogramBytes.exponential(5, 100, -100, 0),
                        HistogramBytes.explicit(new double[] {1_000, 1_100}, 1_050)))
                .addTo(numbers);

        assertThat(numbers.quantile(0)).isCloseTo(-100, within(2.5));
        assertThat(numbers.quantile(1.0 / 3)).isZero();
        assertThat(numbers.quantile(0.7)).isCloseTo(100, within(2.5));
        assertThat(numbers.quantile(1)).isCloseTo(1_050, within(11.0));
    }
}
