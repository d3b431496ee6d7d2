package io.chimera.coordinator.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ShardSharesTest {
    @Test
    void equalWeightsGiveOneShardEach() {
        assertThat(ShardShares.units(new double[] {3, 3, 3})).containsExactly(1, 1, 1);
    }

    @Test
    void nearlyEqualWeightsGiveOneShardEach() {
        assertThat(ShardShares.units(new double[] {1, 1.05, 0.95, 1})).containsExactly(1, 1, 1, 1);
    }

    @Test
    void halfTheWeightGivesHalfTheShards() {
        assertThat(ShardShares.units(new double[] {1, 0.5, 1, 1})).containsExactly(2, 1, 2, 2);
    }

    @Test
    void smallestNumbersAreInProportionToWholeWeights() {
        assertThat(ShardShares.units(new double[] {3, 2})).containsExactly(3, 2);
        assertThat(ShardShares.units(new double[] {100, 50, 25})).containsExactly(4, 2, 1);
    }

    @Test
    void everyProcessorHasAShardAndNoneMoreThanTheMost() {
        assertThat(ShardShares.units(new double[] {100, 1})).containsExactly(8, 1);
    }

    @Test
    void imbalanceIsTheTimeOfTheSlowestOverThePerfectTime() {
        assertThat(ShardShares.imbalance(new int[] {1, 1}, new double[] {2, 1})).isEqualTo(1.5, within(1e-9));
        assertThat(ShardShares.imbalance(new int[] {2, 1}, new double[] {2, 1})).isEqualTo(1, within(1e-9));
    }

    @Test
    void isNeverWorseThanEqualShares() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 1_000; i++) {
            double[] weights = random.doubles(1 + random.nextInt(20), 0.05, 1).toArray();
            int[] equal = Collections.nCopies(weights.length, 1).stream()
                    .mapToInt(Integer::intValue)
                    .toArray();

            int[] units = ShardShares.units(weights);

            assertThat(Arrays.stream(units)).allMatch(unit -> unit >= 1 && unit <= ShardShares.UNITS_MAX);
            assertThat(ShardShares.imbalance(units, weights))
                    .isLessThanOrEqualTo(ShardShares.imbalance(equal, weights) * 1.000001);
        }
    }

    @Test
    void shardsGoRoundTheProcessors() {
        assertThat(ShardShares.shards(List.of(21L, 22L, 23L), new int[] {1, 1, 1}))
                .containsExactly(21L, 22L, 23L);
        assertThat(ShardShares.shards(List.of(21L, 22L, 23L), new int[] {3, 1, 2}))
                .containsExactly(21L, 22L, 23L, 21L, 23L, 21L);
    }
}
