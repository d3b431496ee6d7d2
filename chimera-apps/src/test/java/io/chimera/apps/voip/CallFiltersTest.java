package io.chimera.apps.voip;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import io.chimera.common.wire.SeriesHash;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class CallFiltersTest {
    private static final long START_NS = TimeUnit.MINUTES.toNanos(28_000_000);
    private static final long USER = hash("391");

    private final CallFilters filters = new CallFilters(VoipSettings.DEFAULT);

    @Test
    void scoresOneWhoCallsManyShortlyHigherThanOneWhoTalksToTheSame() {
        long friendly = hash("392");
        double telemarketer = 0;
        double friend = 0;
        for (int call = 0; call < 20; call++) {
            telemarketer = filters.called(USER, hash("5" + call), at(10L * call), 5, 200);
            friend = filters.called(friendly, hash("6"), at(10L * call), 200, 200);
            filters.wasCalled(friendly, at(10L * call));
        }

        assertThat(telemarketer).isGreaterThan(0.7);
        assertThat(friend).isLessThan(0.4);
    }

    @Test
    void scoresNobodyWhoNeverCalled() {
        assertThat(filters.wasCalled(USER, at(0))).isZero();
        assertThat(filters.wasCalled(USER, at(1))).isZero();
    }

    @Test
    void halvesWhatSomebodyDidEveryEighthOfAWindow() {
        UserRates rates = new UserRates(64);
        EpochClock clock = new EpochClock(Duration.ofMinutes(5).toMillis());
        rates.find(USER);
        assertThat(clock.endsBefore(at(0))).isZero();
        rates.addCall(8 * clock.scale(at(0)), 0, 0, 0);

        rates.read(clock.scale(at(75)));
        assertThat(rates.rate(UserRates.CALLS)).isCloseTo(4, within(0.01f));
        rates.read(clock.scale(at(225)));
        assertThat(rates.rate(UserRates.CALLS)).isCloseTo(1, within(0.01f));
        assertThat(clock.endsBefore(at(375))).isEqualTo(1);
        rates.endEpoch();
        rates.read(clock.scale(at(375)));
        assertThat(rates.rate(UserRates.CALLS)).as("in the next epoch").isCloseTo(0.25f, within(0.01f));
    }

    @Test
    void forgetsWhatLiesAWindowBack() {
        CallFilters fresh = new CallFilters(VoipSettings.DEFAULT);
        for (int call = 0; call < 20; call++) {
            filters.called(USER, hash("5" + call), at(call), 5, 200);
        }

        for (int call = 0; call < 5; call++) {
            assertThat(filters.called(USER, hash("5" + call), at(601 + call), 90, 486))
                    .isEqualTo(fresh.called(USER, hash("5" + call), at(601 + call), 90, 486));
        }
    }

    @Test
    void answersTheSameWhateverWasBeforeTheLastTwoEpochs() {
        CallFilters late = new CallFilters(VoipSettings.DEFAULT);
        for (int call = 0; call < 40_000; call++) {
            long user = hash("3" + call % 700);
            long callee = hash("3" + call * 31 % 700);
            double score = filters.called(user, callee, at(call / 10), call % 90, 200);
            if (call / 10 >= 1200) {
                double other = late.called(user, callee, at(call / 10), call % 90, 200);
                if (call / 10 >= 1800) {
                    assertThat(other).isEqualTo(score);
                }
            }
        }
    }

    @Test
    void allocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = 0;
        for (int round = 0; round < 3; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int call = 0; call < 50_000; call++) {
                filters.called(USER + call, call * 31L, at(call / 10), 60, 200);
                filters.wasCalled(USER + call * 31L, at(call / 10));
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(allocated).isLessThan(1_000);
    }

    static long hash(String user) {
        byte[] bytes = user.getBytes(US_ASCII);
        return SeriesHash.of(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    /** Returns a moment, in seconds after the begin of an epoch. */
    private static long at(long seconds) {
        return START_NS + TimeUnit.SECONDS.toNanos(seconds);
    }
}
