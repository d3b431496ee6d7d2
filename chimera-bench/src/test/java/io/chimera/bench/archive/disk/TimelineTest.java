package io.chimera.bench.archive.disk;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

final class TimelineTest {
    private static final int BUCKETS_PER_SECOND = 20;
    private static final Offset<Double> CLOSE = Offset.offset(1e-6);

    @Test
    void theWorstSecondIsTheWorstWhereverItBegins() {
        Timeline timeline = new Timeline(0);
        for (int bucket = 0; bucket < 10 * BUCKETS_PER_SECOND; bucket++) {
            boolean isSlow = bucket >= 47 && bucket < 47 + BUCKETS_PER_SECOND / 2;
            timeline.addTo(bucket, isSlow ? 0 : 100);
        }
        assertThat(timeline.bytes()).isEqualTo(19_000);
        assertThat(timeline.worst(Timeline.SECOND)).isCloseTo(1_000, CLOSE);
        assertThat(timeline.worst(Timeline.HALF_SECOND)).isCloseTo(0, CLOSE);
        assertThat(timeline.best(Timeline.SECOND)).isCloseTo(2_000, CLOSE);
    }

    @Test
    void whatNobodyAddedCountsAsNothing() {
        Timeline timeline = new Timeline(5_000_000_000L);
        timeline.add(5_000_000_000L, 7);
        timeline.add(7_500_000_000L, 7);
        assertThat(timeline.worst(Timeline.SECOND)).isZero();
        assertThat(timeline.best(Timeline.HALF_SECOND)).isZero();
    }

    @Test
    void aPaceByWhatTheDiskWroteEndsWithTheWriter() {
        Timeline accepted = new Timeline(0);
        Timeline written = new Timeline(0);
        for (int bucket = 0; bucket < 3 * BUCKETS_PER_SECOND; bucket++) {
            accepted.addTo(bucket, bucket % 2 == 0 ? 2 * DiskSite.MIB : 0);
            written.addTo(bucket, DiskSite.MIB);
        }
        written.addTo(4 * BUCKETS_PER_SECOND, 1); // the end of the volume
        Pace pace = Pace.of("store", accepted, 3_000_000_000L, 7_000_000);
        Pace byDisk = pace.asWritten(written, accepted.bytes());

        assertThat(byDisk.meanMib()).isCloseTo(pace.meanMib(), CLOSE);
        assertThat(byDisk.worstSecondMib()).isCloseTo(BUCKETS_PER_SECOND, CLOSE);
        assertThat(byDisk.bestSecondMib()).isCloseTo(BUCKETS_PER_SECOND, CLOSE);
        assertThat(byDisk.longestMs()).isCloseTo(7, CLOSE);
    }

    @Test
    void aRunThatIsShorterThanASecondIsTakenWhole() {
        Timeline timeline = new Timeline(0);
        timeline.addTo(0, 100);
        timeline.addTo(1, 100);
        timeline.addTo(2, 1);
        assertThat(timeline.worst(Timeline.SECOND)).isCloseTo(2_000, CLOSE);
    }
}
