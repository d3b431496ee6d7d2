package io.chimera.common.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.HistogramWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class HistogramFlyweightTest {
    private static HistogramFlyweight of(byte[] bytes) {
        return new HistogramFlyweight().wrap(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    private static List<String> buckets(HistogramFlyweight histogram) {
        List<String> buckets = new ArrayList<>();
        histogram.buckets((isNegative, index, count) -> buckets.add((isNegative ? "-" : "+") + index + ":" + count));
        return buckets;
    }

    @Test
    void readsWhatWasWritten() {
        HistogramFlyweight histogram = of(HistogramBytes.exponential(0, 3, 3, 5, 0, -9, 1));

        assertThat(histogram.isWhole()).isTrue();
        assertThat(histogram.scale()).isZero();
        assertThat(histogram.count()).isEqualTo(6);
        assertThat(histogram.zeroCount()).isEqualTo(1);
        assertThat(histogram.sum()).isEqualTo(3);
        assertThat(histogram.min()).isEqualTo(-9);
        assertThat(histogram.max()).isEqualTo(5);
        assertThat(buckets(histogram)).containsExactly("+-1:1", "+1:2", "+2:1", "-3:1"); // 1 is in (1/2, 1]
        assertThat(histogram).hasToString("histogram(count=6, sum=3.0, min=-9.0, max=5.0, scale=0)");
    }

    @Test
    void readsExplicitBounds() {
        HistogramFlyweight histogram = of(HistogramBytes.explicit(new double[] {1, 2.5}, 1, 2, 2.5, 7));

        assertThat(histogram.isWhole()).isTrue();
        assertThat(histogram.bounds()).isEqualTo(2);
        assertThat(histogram.bound(1)).isEqualTo(2.5);
        assertThat(buckets(histogram)).containsExactly("+0:1", "+1:2", "+2:1");
    }

    @Test
    void refusesEveryShorterAndEveryLongerHistogram() {
        byte[] whole = HistogramBytes.exponential(3, 1, 2, 300, -4);
        for (int length = 0; length < whole.length; length++) {
            assertThat(of(Arrays.copyOf(whole, length)).isWhole()).isFalse();
        }
        assertThat(of(Arrays.copyOf(whole, whole.length + 1)).isWhole()).isFalse();
    }

    @Test
    void refusesNumbersOutOfRange() {
        byte[] bytes = HistogramBytes.exponential(3, 1, 2);
        UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        HistogramFlyweight histogram = of(bytes);

        refused(histogram, buffer, 0, (byte) 2);
        refused(histogram, buffer, HistogramWriter.SCALE, (byte) 21);
        refused(histogram, buffer, HistogramWriter.SCALE, (byte) -5);
        refused(histogram, buffer, HistogramWriter.ZERO_THRESHOLD + 7, (byte) 0xBF); // below 0
        refused(histogram, buffer, HistogramWriter.ZERO_COUNT, (byte) 1); // the count is not the sum
        refused(histogram, buffer, HistogramWriter.COUNT, (byte) 3);
        buffer.putDouble(HistogramWriter.SUM, Double.POSITIVE_INFINITY);
        assertThat(histogram.isWhole()).isFalse();
        buffer.putDouble(HistogramWriter.SUM, Double.NaN);
        assertThat(histogram.isWhole()).isTrue(); // unknown
    }

    private static void refused(HistogramFlyweight histogram, UnsafeBuffer buffer, int at, byte wrong) {
        byte right = buffer.getByte(at);
        buffer.putByte(at, wrong);
        assertThat(histogram.isWhole()).as("byte %s", at).isFalse();
        buffer.putByte(at, right);
        assertThat(histogram.isWhole()).isTrue();
    }

    @Test
    void refusesBoundsOutOfOrder() {
        assertThat(of(HistogramBytes.explicit(new double[] {2, 1}, 3)).isWhole())
                .isFalse();
        assertThat(of(HistogramBytes.explicit(new double[] {1, 1}, 3)).isWhole())
                .isFalse();
        assertThat(of(HistogramBytes.explicit(new double[] {Double.NaN}, 3)).isWhole())
                .isFalse();
        assertThat(of(HistogramBytes.explicit(new double[] {}, 3)).isWhole()).isTrue();
    }

    @Test
    void refusesBucketsThatNoDoubleHas() {
        for (int scale : new int[] {-4, 0, 20}) {
            int last = HistogramBytes.index(Double.MAX_VALUE, scale);
            assertThat(of(one(scale, last, 1)).isWhole()).isTrue();
            assertThat(of(one(scale, HistogramBytes.index(Double.MIN_VALUE, scale), 1))
                            .isWhole())
                    .isTrue();
            assertThat(of(one(scale, 2 * last + 100, 1)).isWhole()).isFalse();
            assertThat(of(one(scale, -2 * last - 100, 1)).isWhole()).isFalse();
        }
        assertThat(of(one(0, 1, 1L << 48)).isWhole()).isTrue();
        assertThat(of(one(0, 1, (1L << 48) + 1)).isWhole()).isFalse();
    }

    private static byte[] one(int scale, int index, long count) {
        HistogramWriter writer = new HistogramWriter();
        writer.begin(scale, 0, 0);
        writer.buckets(index, 1);
        writer.bucket(count);
        writer.buckets(0, 0);
        return Arrays.copyOf(writer.bytes(), writer.end(0, 0, 0));
    }

    @Test
    void writesNothingTooLong() {
        HistogramWriter writer = new HistogramWriter();
        writer.begin(0, 0, 0);
        writer.buckets(0, 5_000);
        for (int i = 0; i < 5_000; i++) {
            writer.bucket(1);
        }
        writer.buckets(0, 0);
        assertThat(writer.end(0, 0, 0)).isZero();
    }
}
