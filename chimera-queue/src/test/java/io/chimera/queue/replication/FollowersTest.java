package io.chimera.queue.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.Roster;
import io.chimera.testkit.cluster.MemoryCluster;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class FollowersTest {
    private final Followers followers = new Followers();
    private final MemoryCluster cluster = MemoryCluster.immediate();
    private final Map<String, MemoryCluster.Node> nodes = new HashMap<>();

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

    /** The old folder of a removed node cannot return, so its journal is no copy. */
    @Test
    void countsNoRemovedPeer() {
        announce("q2", 12);
        announce("q3", 13);
        followers.report("q2", 12, 10);
        followers.report("q3", 13, 5);
        followers.follow(cluster.truth());
        assertThat(followers.reached(2, 10)).isEqualTo(10);

        nodes.get("q2").close();
        followers.follow(cluster.truth());
        assertThat(followers.reached(2, 10))
                .as("a dead peer returns with its journal")
                .isEqualTo(10);

        assertThat(cluster.unregister(List.of("q2"), cluster.truth().journals().losses()))
                .isTrue();
        followers.follow(cluster.truth());

        assertThat(followers.reached(2, 10)).isEqualTo(5);
        assertThat(followers.reachedBy("q2")).isEqualTo(-1);
        assertThat(followers.seenRevision()).isEqualTo(cluster.truth().revision());
    }

    /** A view may show a peer before its registration, and a drained peer after the end of its registration. */
    @Test
    void countsALivePeerOnlyWhileItIsRegistered() {
        announce("q2", 12);
        announce("q3", 13);
        ClusterView view = cluster.truth();
        followers.follow(unregistered("q3", view));
        followers.report("q2", 12, 5);
        followers.report("q3", 13, 10);
        assertThat(followers.countAt(5)).isEqualTo(1);
        assertThat(followers.reached(2, 10)).isEqualTo(5);

        followers.follow(view);
        assertThat(followers.reached(2, 10)).isEqualTo(10);

        followers.follow(unregistered("q3", view));
        assertThat(followers.reached(2, 10)).isEqualTo(5);
    }

    @Test
    void forgetsTheReportOfAnEarlierSession() {
        announce("q2", 12);
        followers.report("q2", 11, 10);

        followers.follow(cluster.truth());

        assertThat(followers.reachedBy("q2")).isEqualTo(-1);
    }

    /** A view without a connection may lack a registration. */
    @Test
    void keepsAllReportsWithoutAConnection() {
        announce("q2", 12);
        followers.report("q4", 14, 10);

        followers.follow(cluster.truth().connected(false));

        assertThat(followers.reached(2, 10)).isEqualTo(10);
        assertThat(followers.seenRevision()).isEqualTo(-1);
    }

    private void announce(String id, long session) {
        MemoryCluster.Node node = cluster.join();
        node.announce(new QueueMember(id, session, "a:1", "a:2", session, "d", Positions.NONE, Positions.NONE, false));
        nodes.put(id, node);
    }

    private static ClusterView unregistered(String id, ClusterView view) {
        SortedMap<String, JournalGroup> groups = new TreeMap<>(view.roster().groups());
        groups.remove(id);
        return new ClusterView(
                view.revision(),
                true,
                view.queues(),
                view.processors(),
                view.registration(),
                view.cycles(),
                view.low(),
                view.replays(),
                view.archives(),
                new Roster(groups),
                view.journals());
    }
}
