package io.chimera.common.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.agrona.concurrent.UnsafeBuffer;

/** Arbitrary bytes from a parser plugin: what counts as whole can be read to its last bucket, nothing throws. */
final class HistogramFuzz {
    @FuzzTest(maxDuration = "1m")
    void readsWhatIsWhole(byte[] bytes) {
        HistogramFlyweight histogram = new HistogramFlyweight().wrap(new UnsafeBuffer(bytes), 0, bytes.length);
        if (histogram.isWhole()) {
            long[] sum = {histogram.zeroCount()};
            histogram.buckets((isNegative, index, count) -> sum[0] += count);
            assertThat(sum[0]).isEqualTo(histogram.count());
            if (histogram.isExplicit()) {
                for (int i = 0; i < histogram.bounds(); i++) {
                    assertThat(histogram.bound(i)).isFinite();
                }
            }
            assertThat(histogram.toString()).isNotEmpty();
        }
    }
}
