package io.chimera.archive.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BackoffTest {
    /** Draws the least or the greatest number below a bound. */
    private record Extreme(boolean isGreatest) implements RandomGenerator {
        @Override
        public long nextLong() {
            throw new UnsupportedOperationException();
        }

        @Override
        public long nextLong(long bound) {
            return isGreatest ? bound - 1 : 0;
        }
    }

    @ParameterizedTest
    @CsvSource({"1,25,50", "2,50,100", "3,100,200", "5,400,800", "6,800,1600", "7,800,1600", "1000000,800,1600"})
    void doublesUpToItsBoundWithJitterOfHalf(int refusals, long leastMs, long greatestMs) {
        assertThat(new Backoff(new Extreme(false)).before(refusals)).isEqualTo(Duration.ofMillis(leastMs));
        assertThat(new Backoff(new Extreme(true)).before(refusals)).isEqualTo(Duration.ofMillis(greatestMs));
    }

    @Test
    void spreadsNodesRefusedAtTheSameTime() {
        Backoff backoff = new Backoff(RandomGenerator.of("L64X128MixRandom"));

        assertThat(Stream.generate(() -> backoff.before(6)).limit(50).distinct())
                .hasSizeGreaterThan(10);
    }
}
