package io.chimera.bench.scale.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class BacklogTest {
    private final Backlog backlog = new Backlog(4, 1_000);

    @Test
    void beginsWithTheMinimum() {
        assertThat(backlog.permitted(0, 50)).isEqualTo(1_050);
        assertThat(backlog.permitted(1, 50)).isEqualTo(1_050);
    }

    @Test
    void permitsSecondsOfTheRate() {
        assertThat(permittedAt(0, 0)).isEqualTo(1_000);
        assertThat(permittedAt(1, 500)).isEqualTo(500 + 4 * 500);
        assertThat(permittedAt(2, 2_000)).isEqualTo(2_000 + 4 * 1_000);
    }

    @Test
    void forgetsOldRates() {
        permittedAt(0, 0);
        permittedAt(6, 100_000);
        permittedAt(18, 103_000);
        permittedAt(20, 104_500);

        assertThat(permittedAt(30, 112_000)).isEqualTo(112_000 + 4 * 750);
    }

    private long permittedAt(int second, long stored) {
        return backlog.permitted(TimeUnit.SECONDS.toNanos(second), stored);
    }
}
