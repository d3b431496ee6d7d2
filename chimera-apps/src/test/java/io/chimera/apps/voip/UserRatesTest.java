package io.chimera.apps.voip;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class UserRatesTest {
    private static final int CELLS = 8;

    private final UserRates rates = new UserRates(CELLS);

    /** Returns a user by its three cells. */
    private static long user(int first, int second, int third) {
        return first | (long) second << 21 | (long) third << 42;
    }

    private double[] read(long user) {
        rates.find(user);
        rates.read(1);
        return IntStream.range(0, UserRates.FEATURES).mapToDouble(rates::rate).toArray();
    }

    private void call(long user) {
        rates.find(user);
        rates.addCall(1, 2, 4, 8);
    }

    private void receive(long user) {
        rates.find(user);
        rates.addReceived(16);
    }

    @Test
    void keepsEveryFeatureApart() {
        long user = user(1, 2, 3);
        call(user);
        receive(user);

        assertThat(read(user)).containsExactly(1, 2, 4, 8, 16);
    }

    @Test
    void dividesByTheScaleOfTheMoment() {
        call(user(1, 2, 3));
        rates.read(4);

        assertThat(rates.rate(UserRates.TALK)).isEqualTo(2);
    }

    /** A user with two or three equal cells adds each call once per cell, not once per hash. */
    @Test
    void addsOnceToCellsThatCoincide() {
        long[] users = {user(1, 1, 2), user(3, 4, 3), user(5, 6, 6), user(7, 7, 7)};
        long[] others = {user(2, 0, 0), user(4, 0, 0), user(5, 0, 0)}; // hide a cell with the right rate
        for (long[] each : List.of(users, others)) {
            for (long user : each) {
                call(user);
                receive(user);
            }
        }

        for (long user : users) {
            assertThat(read(user)).containsExactly(1, 2, 4, 8, 16);
        }
    }

    /** Only a user whose three cells are all shared has a rate that is too great, never one that is too small. */
    @Test
    void takesTheLeastOfTheCells() {
        call(user(1, 2, 3));
        receive(user(1, 2, 3));
        call(user(1, 4, 5));
        receive(user(1, 4, 5));

        assertThat(read(user(1, 2, 3))).containsExactly(1, 2, 4, 8, 16);
        assertThat(read(user(1, 4, 5))).containsExactly(1, 2, 4, 8, 16);
        assertThat(read(user(1, 6, 3))).containsOnly(0);
        assertThat(read(user(6, 2, 3))).containsOnly(0);
        assertThat(read(user(1, 2, 6))).containsOnly(0);
        assertThat(read(user(1, 1, 1))).containsExactly(2, 4, 8, 16, 32);
    }

    @Test
    void readsTwoEpochsAndForgetsTheThird() {
        long user = user(0, 5, 7);
        call(user);
        rates.endEpoch();
        assertThat(read(user)).as("a sixteenth after four half-lives").containsExactly(0.0625, 0.125, 0.25, 0.5, 0);
        call(user);
        assertThat(read(user)).containsExactly(1.0625, 2.125, 4.25, 8.5, 0);

        rates.endEpoch();
        assertThat(read(user)).containsExactly(0.0625, 0.125, 0.25, 0.5, 0);
        rates.endEpoch();
        assertThat(read(user)).containsOnly(0);
    }

    @Test
    void clearsBothEpochs() {
        call(user(1, 2, 3));
        rates.endEpoch();
        call(user(1, 2, 3));
        rates.clear();

        assertThat(read(user(1, 2, 3))).containsOnly(0);
    }
}
