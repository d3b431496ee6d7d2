package io.chimera.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ClusterKit;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.Roster;
import io.chimera.common.cluster.control.ControlCopy;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.queue.peer.LocalNode;
import io.chimera.testkit.cluster.MemoryCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A queue node acts only on the control state in the copy on its disk, never on a tree older than the copy. */
final class KeptClusterTest {
    private static final LocalNode LOCAL = new LocalNode("test", "q1", 1, 5);
    private static final Positions CUT = Positions.of(5, 10);

    private final ManualClock clock = new ManualClock();
    private final MemoryCluster zooKeeper = MemoryCluster.immediate();
    private final MemoryCluster.Lead lead = zooKeeper.lead();
    private final MemoryCluster.Node node = zooKeeper.join();
    private final SlowCopy copy = new SlowCopy();
    private KeptCluster kept = new KeptCluster(LOCAL, node, copy, clock);

    /** A disk with writes completed by the test. */
    private static final class SlowCopy implements ControlCopy {
        private ControlState durable = ControlState.NONE;
        private ControlState asked = ControlState.NONE;
        private String trouble = "";

        @Override
        public ControlState kept() {
            return durable;
        }

        @Override
        public void keep(ControlState next) {
            asked = next;
        }

        @Override
        public String trouble() {
            return trouble;
        }

        void sync() {
            durable = asked;
        }
    }

    @Test
    void showsACycleOnceTheDiskNamesIt() {
        announce();
        settle();
        begin();

        kept.doWork();
        assertThat(kept.view().cycles()).isEmpty();

        copy.sync();
        kept.doWork();
        assertThat(kept.view().cycles()).containsKey(1L);
        assertThat(kept.kept().mark().newest()).isEqualTo(1);
    }

    @Test
    void goesOnWithoutACopyWhenTheDiskRefusesForLong() {
        announce();
        settle();
        begin();
        copy.trouble = "The disk refuses.";
        kept.doWork();
        assertThat(kept.view().cycles()).isEmpty();

        clock.advance(Duration.ofSeconds(6));
        kept.doWork();
        assertThat(kept.view().cycles()).containsKey(1L);
        assertThat(kept.alarm()).contains("The disk refuses.");
        long revision = kept.view().revision();
        kept.doWork();
        assertThat(kept.view().revision()).isEqualTo(revision);
    }

    @Test
    void goesOnAsWithoutZooKeeperOverATreeThatLostItsCycles() {
        announce();
        settle();
        begin();
        settle();
        zooKeeper.lose("new");
        node.expire();

        kept.doWork();
        assertThat(kept.view().connected()).isFalse();
        assertThat(kept.view().cycles()).containsKey(1L);
        assertThat(kept.view().registered()).isEqualTo(1);
        clock.advance(Duration.ofSeconds(3));
        kept.doWork();
        assertThat(kept.problem()).get().asString().contains("chimera cluster recover");
        assertThat(zooKeeper.truth().queues().get(0).kept().newest()).isEqualTo(1);

        zooKeeper.recover(copy.kept());
        settle();
        assertThat(kept.problem()).isEmpty();
        assertThat(kept.view().connected()).isTrue();
        assertThat(kept.view().cycles()).containsKey(1L);
    }

    /** An earlier folder of the node is registered: the copy must not say that this folder was accepted. */
    @Test
    void namesItselfOnlyOnceItIsAccepted() {
        MemoryCluster.Node earlier = zooKeeper.join();
        earlier.announce(ClusterKit.queue("q1", 10));
        zooKeeper.join().announce(ClusterKit.queue("q2", 12));
        settle();
        assertThat(copy.kept().roster().ids()).containsExactly("q2");

        earlier.close();
        announce();
        settle();

        assertThat(copy.kept().roster().ids()).containsExactly("q1", "q2");
    }

    @Test
    void knowsTheCyclesOfItsDiskButNotTheSizeOfItsGroupBeforeItHearsOfAny() {
        announce();
        settle();
        begin();
        settle();

        kept = new KeptCluster(LOCAL, MemoryCluster.immediate().join(), copy, clock);

        assertThat(kept.view().connected()).isFalse();
        assertThat(kept.view().cycles()).containsKey(1L);
        assertThat(ReplicationPolicy.of(3).needed(kept.view()))
                .as("the group may have grown")
                .isEqualTo(3);
    }

    @Test
    void waitsForAllCopiesAfterARestartOverALostTree() {
        announce();
        settle();
        begin();
        settle();
        zooKeeper.lose("new");
        node.expire();

        kept = new KeptCluster(LOCAL, node, copy, clock);
        kept.doWork();

        assertThat(kept.view().connected()).isFalse();
        assertThat(ReplicationPolicy.of(3).needed(kept.view())).isEqualTo(3);
    }

    @Test
    void keepsTheSizeOfTheGroupUntilARecoveredTreeShowsIt() {
        MemoryCluster.Node other = recoverWithoutGroup();

        kept.doWork();
        assertThat(kept.view().connected()).isFalse();
        assertThat(ReplicationPolicy.of(2).needed(kept.view())).isEqualTo(2);
        assertThat(copy.asked.roster().ids()).containsExactly("q1", "q2");

        other.announce(member("q2"));
        kept.doWork();
        assertThat(kept.view().connected()).isTrue();
        assertThat(ReplicationPolicy.of(2).needed(kept.view())).isEqualTo(2);
    }

    @Test
    void waitsNoLongerThanForALaggingServerForAMemberThatWasRemoved() {
        recoverWithoutGroup();
        kept.doWork();
        assertThat(kept.view().connected()).isFalse();

        clock.advance(Duration.ofSeconds(3));
        settle();
        assertThat(kept.view().connected()).isTrue();
        assertThat(kept.view().registered()).isEqualTo(1);
    }

    /** Simulates the recovery of a lost tree with only this node in the group; returns the other node. */
    private MemoryCluster.Node recoverWithoutGroup() {
        announce();
        MemoryCluster.Node other = zooKeeper.join();
        other.announce(member("q2"));
        settle();
        begin();
        settle();
        ControlState before = copy.kept();
        zooKeeper.lose("new");
        node.expire();
        kept.doWork();
        assertThat(kept.view().registered()).isEqualTo(2);
        zooKeeper.recover(new ControlState(
                before.low(), before.epoch(), Roster.of(List.of("q1")), before.cycles(), before.replays()));
        return other;
    }

    private void announce() {
        kept.announce(member("q1"));
    }

    private static QueueMember member(String id) {
        return new QueueMember(id, 1, "a", "h", 5, "d", Positions.NONE, CUT, false);
    }

    private void begin() {
        Cycle cycle = new Cycle(1, lead.epoch(), 100, CUT, List.of(1L), List.of(2L));
        assertThat(lead.begin(cycle, new Assignment(0, List.of(1L), List.of(2L))))
                .isTrue();
    }

    private void settle() {
        for (int i = 0; i < 3; i++) {
            kept.doWork();
            copy.sync();
        }
        kept.doWork();
    }
}
