package io.chimera.queue.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class FollowersTest {
    private final Followers followers = new Followers();

    @Test
    void findsTheHighestThatSoManyHaveReached() {
        Random random = new Random(1);
        for (int round = 0; round < 1_000; round++) {
            Followers some = new Followers();
            int count = random.nextInt(5);
            long[] seqs = new long[count + 1];
            for (int i = 0; i <= count; i++) {
                seqs[i] = random.nextInt(4);
                if (i < count) {
                    some.report("q" + i, 1, seqs[i]);
                }
            }
            long own = seqs[count];
            Arrays.sort(seqs);
            for (int needed = 1; needed <= 7; needed++) {
                long expected = needed > seqs.length ? 0 : seqs[seqs.length - needed];
                assertThat(some.reached(needed, own))
                        .as("%d of %s with own %d", needed, Arrays.toString(seqs), own)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void anotherStartOfANodeSaysAnewWhatItHolds() {
        followers.report("q2", 1, 10);
        assertThat(followers.reachedBy("q2")).isEqualTo(10);

        followers.report("q2", 2, 0);

        assertThat(followers.reachedBy("q2")).isZero();
        assertThat(followers.countAt(1)).isZero();
    }

    @Test
    void forgetsThoseWhoAreGoneAndHoldLeast() {
        followers.report("q2", 1, 10);
        followers.report("q3", 1, 20);
        followers.report("q4", 1, 5);

        followers.retain(List.of("q4"), 3);
        assertThat(followers.countAt(0)).isEqualTo(3);
        followers.retain(List.of("q4"), 2);

        assertThat(followers.reachedBy("q2")).isEqualTo(-1);
        assertThat(followers.reachedBy("q3")).isEqualTo(20);
        assertThat(followers.reachedBy("q4")).isEqualTo(5);
    }
}
