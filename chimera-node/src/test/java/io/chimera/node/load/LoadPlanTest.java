package io.chimera.node.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class LoadPlanTest {
    @Test
    void knowsCountsAndSumsThatACountingGives() {
        LoadPlan plan = new LoadPlan(7, 100, Duration.ofMillis(330), 42);
        long[] counts = new long[7];
        long[] sums = new long[7];
        for (long i = 0; i < plan.points(); i++) {
            int series = (int) (i % 7);
            sums[series] += plan.valueOf(series, counts[series]);
            counts[series]++;
        }

        assertThat(plan.points()).isEqualTo(33);
        assertThat(IntStream.range(0, 7).mapToLong(plan::pointsOf))
                .containsExactly(LongStream.of(counts).boxed().toArray(Long[]::new));
        assertThat(IntStream.range(0, 7).mapToLong(s -> plan.sumOf(s, plan.pointsOf(s))))
                .containsExactly(LongStream.of(sums).boxed().toArray(Long[]::new));
        assertThat(plan.sum()).isEqualTo(LongStream.of(sums).sum());
    }

    @Test
    void drawsItsBasesFromTheSeed() {
        LoadPlan one = new LoadPlan(100, 1, Duration.ofSeconds(1), 1);
        LoadPlan other = new LoadPlan(100, 1, Duration.ofSeconds(1), 2);

        assertThat(bases(one)).isEqualTo(bases(new LoadPlan(100, 1, Duration.ofSeconds(1), 1)));
        assertThat(bases(one)).isNotEqualTo(bases(other)).allMatch(base -> base >= 0 && base < 1_000);
    }

    private static List<Long> bases(LoadPlan plan) {
        return IntStream.range(0, plan.series()).mapToObj(plan::baseOf).toList();
    }

    @Test
    void refusesWhatIsNoLoad() {
        assertThatIllegalArgumentException().isThrownBy(() -> new LoadPlan(0, 1, Duration.ofSeconds(1), 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new LoadPlan(1, 0, Duration.ofSeconds(1), 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new LoadPlan(1, 1, Duration.ZERO, 1));
    }
}
