package io.chimera.dataset.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.dataset.compute.Windows;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges of windows, also near the last time that a 64-bit number of nanoseconds can hold. */
final class WindowSpanTest {
    private static void assertCovers(List<WindowSpan> ranges, WindowSpan all, long windowNs, int rangesMax) {
        assertThat(ranges).isNotEmpty().hasSizeLessThanOrEqualTo(rangesMax);
        assertThat(ranges.get(0).fromNs()).isEqualTo(all.fromNs());
        assertThat(ranges.get(ranges.size() - 1).toNs()).isEqualTo(all.toNs());
        for (int i = 0; i < ranges.size(); i++) {
            assertThat(ranges.get(i).isEmpty()).isFalse();
            assertThat((ranges.get(i).fromNs() - all.fromNs()) % windowNs).isZero();
            if (i > 0) {
                assertThat(ranges.get(i).fromNs()).isEqualTo(ranges.get(i - 1).toNs());
            }
        }
    }

    private static long ns(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
    }

    @Test
    void rangesCoverAllWindowsOnce() {
        WindowSpan all = new WindowSpan(600, 600 + 17 * 60);

        List<WindowSpan> ranges = all.cut(60, 8);

        assertCovers(ranges, all, 60, 8);
        for (long startNs = all.fromNs(); startNs < all.toNs(); startNs += 60) {
            long window = startNs;
            assertThat(ranges.stream().filter(range -> range.contains(window))).hasSize(1);
        }
        assertThat(WindowSpan.EMPTY.cut(60, 8)).isEmpty();
        assertThat(all.cut(60, 1)).containsExactly(all);
    }

    @ParameterizedTest
    @CsvSource({
        "2262-04-01T00:00:00Z, PT1M",
        "2262-04-01T00:00:00Z, P1D",
        "2262-04-01T00:00:00Z, P7D",
        "2262-01-01T00:00:00Z, PT1M",
        "2262-01-01T00:00:00Z, P1D",
        "2262-01-01T00:00:00Z, P7D",
        "2262-04-11T23:47:00Z, PT0.001S",
        "2262-04-11T00:00:00Z, P365D",
    })
    void rangesNearTheLastTimeAreBounded(Instant last, Duration window) {
        Windows windows = new Windows(window.toNanos());
        long lastStartNs = windows.startOf(Math.min(ns(last), windows.latestNs()));
        for (Instant first : List.of(Instant.EPOCH, Instant.parse("2024-05-01T10:00:00Z"))) {
            WindowSpan all = new WindowSpan(windows.startOf(ns(first)), lastStartNs + windows.lengthNs());
            for (int workers = 1; workers <= 64; workers++) {
                List<WindowSpan> ranges = all.cut(windows.lengthNs(), 4 * workers);

                assertCovers(ranges, all, windows.lengthNs(), 4 * workers);
                new MergePlan(ranges, List.of(), SplitTotals.NONE);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 256})
    void theLongestSpanIsCut(int rangesMax) {
        WindowSpan all = new WindowSpan(0, Long.MAX_VALUE);

        assertCovers(all.cut(1_000_000, rangesMax), all, 1_000_000, rangesMax);
    }

    @Test
    void aMergePlanHasFewAscendingRanges() {
        WindowSpan first = new WindowSpan(0, 20);
        WindowSpan second = new WindowSpan(20, 30);
        new MergePlan(List.of(first, second), List.of(), SplitTotals.NONE);

        for (List<WindowSpan> bad : List.of(
                List.of(second, first),
                List.of(first, first),
                List.of(WindowSpan.EMPTY),
                Collections.nCopies(MergePlan.RANGES_MAX + 1, first))) {
            assertThatThrownBy(() -> new MergePlan(bad, List.of(), SplitTotals.NONE))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
