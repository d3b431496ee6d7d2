package io.chimera.dataset.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.source.Retries.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class RetriesTest {
    private static final Limits LIMITS =
            new Limits(5, Duration.ofMillis(100), Duration.ofMillis(400), Duration.ofSeconds(10));

    private final ManualClock clock = new ManualClock();
    private final List<Duration> pauses = new ArrayList<>();
    private int attempts;

    private Retries retries(Limits limits, RandomGenerator random) {
        return new Retries(limits, clock, random, pause -> {
            pauses.add(pause);
            clock.advance(pause);
        });
    }

    /** Draws the largest value, so that pauses are their limits. */
    private static final class Largest extends Random {
        private static final long serialVersionUID = 1L;

        @Override
        public long nextLong(long bound) {
            return bound - 1;
        }
    }

    private String failing(int times, SourceFault fault, Duration retryAfter) throws SourceException {
        if (attempts++ < times) {
            throw new SourceException(fault, "attempt " + attempts, retryAfter, null);
        }
        return "done";
    }

    @Test
    void returnsTheFirstSuccess() throws Exception {
        Retries retries = retries(LIMITS, new Largest());
        assertThat(retries.run(() -> failing(3, SourceFault.STALLED, Duration.ZERO)))
                .isEqualTo("done");
        assertThat(attempts).isEqualTo(4);
        assertThat(pauses).containsExactly(Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(400));
    }

    @Test
    void endsAfterTheLastAttemptWithItsFault() {
        SourceException last = catchThrowableOfType(SourceException.class, () -> retries(LIMITS, new Largest())
                .run(() -> failing(99, SourceFault.BUSY, Duration.ZERO)));
        assertThat(last).hasMessage("attempt 5");
        assertThat(pauses)
                .containsExactly(
                        Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(400), Duration.ofMillis(400));
    }

    @ParameterizedTest
    @EnumSource(SourceFault.class)
    void repeatsOnlyWhatMaySucceed(SourceFault fault) {
        assertThatThrownBy(() -> retries(LIMITS, new Largest()).run(() -> failing(99, fault, Duration.ZERO)))
                .isInstanceOf(SourceException.class);
        assertThat(attempts).isEqualTo(fault.isRetryable() ? 5 : 1);
    }

    @Test
    void waitsAtLeastAsLongAsTheSourceAsks() throws Exception {
        retries(LIMITS, new Largest()).run(() -> failing(1, SourceFault.BUSY, Duration.ofSeconds(3)));
        assertThat(pauses).containsExactly(Duration.ofMillis(3100));
    }

    @Test
    void beginsNoAttemptAfterTheTimeLimit() {
        assertThatThrownBy(() ->
                        retries(LIMITS, new Largest()).run(() -> failing(99, SourceFault.BUSY, Duration.ofSeconds(4))))
                .isInstanceOf(SourceException.class);
        assertThat(attempts).isEqualTo(3); // at 0, 4.1 and 8.3 s
        assertThat(clock.nanoTime()).isLessThanOrEqualTo(LIMITS.timeMax().toNanos());
    }

    @Test
    void drawsEveryPauseBetweenZeroAndItsLimit() throws Exception {
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            attempts = 0;
            retries(LIMITS, random).run(() -> failing(1, SourceFault.BAD_ANSWER, Duration.ZERO));
        }
        assertThat(pauses).allMatch(pause -> !pause.isNegative() && pause.toMillis() <= 100);
        assertThat(pauses).anyMatch(pause -> pause.toMillis() < 10).anyMatch(pause -> pause.toMillis() > 90);
    }

    @Test
    void anInterruptionEndsThePause() {
        Retries retries = new Retries(LIMITS, clock, new Largest(), pause -> {
            throw new InterruptedException();
        });
        assertThatThrownBy(() -> retries.run(() -> failing(1, SourceFault.STALLED, Duration.ZERO)))
                .isInstanceOf(InterruptedException.class);
        assertThat(attempts).isEqualTo(1);
    }

    @Test
    void anInterruptedAttemptIsTheLast() {
        assertThatThrownBy(() -> retries(LIMITS, new Largest()).run(() -> {
                    Thread.currentThread().interrupt();
                    return failing(1, SourceFault.UNREACHABLE, Duration.ZERO);
                }))
                .isInstanceOf(InterruptedException.class)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        assertThat(attempts).isEqualTo(1);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void doublesWithoutOverflow() {
        Limits many = new Limits(200, Duration.ofNanos(1), Duration.ofDays(1), Duration.ofDays(3650));
        assertThatThrownBy(() -> retries(many, new Largest()).run(() -> failing(999, SourceFault.BUSY, Duration.ZERO)))
                .isInstanceOf(SourceException.class);
        assertThat(attempts).isEqualTo(200);
    }

    @Test
    void refusesLimitsThatAreNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Limits(0, Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Limits(1, Duration.ofMillis(2), Duration.ofMillis(1), Duration.ofMillis(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Limits(1, Duration.ZERO, Duration.ofMillis(1), Duration.ofMillis(1)));
    }
}
