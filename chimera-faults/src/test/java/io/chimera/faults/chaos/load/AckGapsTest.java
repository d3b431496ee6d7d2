package io.chimera.faults.chaos.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AckGapsTest {
    private static final long MS = 1_000_000;

    private final AckGaps gaps = new AckGaps(0);

    @Test
    void tellsTheLongestWaitWithinATime() {
        gaps.acknowledged(50 * MS);
        gaps.acknowledged(450 * MS);
        gaps.acknowledged(500 * MS);
        gaps.acknowledged(1_500 * MS);

        assertThat(gaps.longestNs(0, 1_500 * MS)).isEqualTo(1_000 * MS);
        assertThat(gaps.longestNs(0, 500 * MS)).isEqualTo(400 * MS);
    }

    @Test
    void countsOnlyWhatLiesWithin() {
        gaps.acknowledged(1_000 * MS);

        assertThat(gaps.longestNs(300 * MS, 500 * MS)).isEqualTo(200 * MS);
        assertThat(gaps.longestNs(1_000 * MS, 1_000 * MS)).isZero();
    }

    @Test
    void countsAWaitThatLasts() {
        gaps.acknowledged(100 * MS);

        assertThat(gaps.longestNs(0, 5_000 * MS)).isEqualTo(4_900 * MS);
    }

    @Test
    void aPauseOfTheClientIsNoWait() {
        gaps.acknowledged(100 * MS);
        gaps.restart(5_000 * MS);
        gaps.acknowledged(5_200 * MS);

        assertThat(gaps.longestNs(0, 5_200 * MS)).isEqualTo(200 * MS);
        assertThat(gaps.acknowledgedNs()).isEqualTo(5_200 * MS);
    }
}
