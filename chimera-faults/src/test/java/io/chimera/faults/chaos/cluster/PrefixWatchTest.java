package io.chimera.faults.chaos.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.faults.chaos.cluster.PrefixWatch.Mark;
import io.chimera.faults.chaos.cluster.PrefixWatch.Prefix;
import io.chimera.node.watch.NodeClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PrefixWatchTest {
    private static final long MS = 1_000_000;

    private final PrefixWatch watch = new PrefixWatch(new NodeClient(), List.of());

    @Test
    void recoversWithACycleThatBeganAfterTheMark() throws InterruptedException {
        watch.saw(100 * MS, new Prefix(5, 7, 50, 0));
        Mark mark = watch.setMark(110 * MS);

        watch.saw(200 * MS, new Prefix(6, 7, 60, 0));
        watch.saw(300 * MS, new Prefix(7, 8, 70, 0));
        assertThat(watch.await(mark, Duration.ZERO)).isEqualTo(-1);
        watch.saw(400 * MS, new Prefix(8, 9, 80, 0));
        watch.saw(500 * MS, new Prefix(9, 9, 90, 0));

        assertThat(watch.await(mark, Duration.ZERO)).isEqualTo(290 * MS);
    }

    @Test
    void believesTheFurthestOfAllCoordinators() {
        watch.saw(100 * MS, new Prefix(8, 9, 80, 0));
        watch.saw(200 * MS, new Prefix(5, 7, 50, 3));

        assertThat(watch.prefix()).isEqualTo(new Prefix(8, 9, 80, 0));
    }

    @Test
    void tellsTheLongestStallWithinATime() {
        for (long ms : List.of(100L, 200L, 900L, 1_000L)) {
            watch.saw(ms * MS, new Prefix(ms, ms, 0, 0));
        }

        assertThat(watch.longestStallNs(150 * MS, 1_050 * MS)).isEqualTo(700 * MS);
        assertThat(watch.longestStallNs(500 * MS, 1_050 * MS)).isEqualTo(400 * MS);
        assertThat(watch.longestStallNs(950 * MS, 9_000 * MS)).isEqualTo(8_000 * MS);
        assertThat(watch.longestStallNs(2_000 * MS, 2_100 * MS)).isEqualTo(100 * MS);
    }
}
