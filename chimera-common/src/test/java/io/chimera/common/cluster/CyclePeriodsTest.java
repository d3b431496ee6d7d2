package io.chimera.common.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class CyclePeriodsTest {
    private static final CyclePeriods BOUNDS = new CyclePeriods(Duration.ofSeconds(1), Duration.ofSeconds(5));

    @Test
    void periodsAreDoublesOfTheShortest() {
        assertThat(BOUNDS.longer(Duration.ofSeconds(1))).hasSeconds(2);
        assertThat(BOUNDS.longer(Duration.ofSeconds(2))).hasSeconds(4);
        assertThat(BOUNDS.longer(Duration.ofSeconds(4))).hasSeconds(4);
        assertThat(BOUNDS.shorter(Duration.ofSeconds(4))).hasSeconds(2);
        assertThat(BOUNDS.shorter(Duration.ofSeconds(1))).hasSeconds(1);
    }

    @Test
    void aFixedPeriodStays() {
        CyclePeriods fixed = CyclePeriods.fixed(Duration.ofSeconds(3));

        assertThat(fixed.longer(Duration.ofSeconds(3))).hasSeconds(3);
        assertThat(fixed.shorter(Duration.ofSeconds(3))).hasSeconds(3);
    }

    @Test
    void limitsDurations() {
        assertThat(BOUNDS.limit(Duration.ZERO)).hasSeconds(1);
        assertThat(BOUNDS.limit(Duration.ofSeconds(3))).hasSeconds(3);
        assertThat(BOUNDS.limit(Duration.ofHours(1))).hasSeconds(5);
    }

    @Test
    void hasWholeMilliseconds() {
        assertThat(CyclePeriods.fixed(Duration.ofNanos(1_500_000)).least()).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void refusesBoundsInTheWrongOrder() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CyclePeriods(Duration.ofSeconds(2), Duration.ofSeconds(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> CyclePeriods.fixed(Duration.ofNanos(1)));
    }
}
