package io.chimera.queue.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.cluster.JournalState;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.RegisteredNodes;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.Completion;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.MemoryJournal;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.peer.LocalNode;
import io.chimera.queue.peer.PeerNetwork;
import io.chimera.testkit.channel.MemoryNetwork;
import io.chimera.testkit.cluster.MemoryCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AcknowledgerTest {
    private static final long OWN = 7;
    private static final long SESSION = 1;
    private static final int CAPACITY = 4;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final ManualClock clock = new ManualClock();
    private final MemoryJournal journal = new MemoryJournal(SyncPolicy.BATCH, 1, clock);
    private final MemoryCluster cluster = MemoryCluster.immediate();
    private final MemoryCluster.Node self = cluster.join();
    private final Followers followers = new Followers();
    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    private final Batches batches = new Batches();
    private final List<String> told = new ArrayList<>();

    private Acknowledger acknowledger(int copies) {
        return acknowledger(ReplicationPolicy.of(copies));
    }

    private Acknowledger acknowledger(ReplicationPolicy copies) {
        return acknowledger(copies, self);
    }

    private Acknowledger acknowledger(ReplicationPolicy copies, MemoryCluster.Node node) {
        return new Acknowledger(
                new PeerNetwork(
                        new LocalNode("test", "q1", SESSION, OWN), node, new MemoryNetwork().transport("q1"), clock),
                journal,
                followers,
                copies,
                new WaitLimits(TIMEOUT.toMillis(), CAPACITY),
                counters);
    }

    private static QueueMember member(String id, long session) {
        return new QueueMember(id, session, id + ":1", id + ":2", session, "", Positions.NONE, Positions.NONE, false);
    }

    /** Records the answer to a sender. */
    private Completion sender(String name) {
        return new Completion() {
            @Override
            public void journaled() {
                told.add(name + " ok");
            }

            @Override
            public void failed(String reason) {
                told.add(name + ": " + reason);
            }
        };
    }

    /** The group is known to have no registered node, for example because its name is mistyped. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aProcessOfAGroupWithoutRegisteredNodesAcknowledgesNothing(int copies) {
        assertThat(self.view().registration()).isEqualTo(RegisteredNodes.NONE);

        assertThat(refusal(acknowledger(new ReplicationPolicy(copies, 1)))).contains("queue.group");
    }

    /** The registration of an earlier start may have a proof of copies, with which the dead node could be removed. */
    @Test
    void aProcessThatHasNotReachedTheCoordinatorYetNeedsASecondCopyIfItMayHaveAProof() {
        MemoryCluster.Node unconnected = MemoryCluster.stepped().join();

        assertThat(refusal(acknowledger(new ReplicationPolicy(2, 1), unconnected)))
                .contains("only 1 of 2", "the coordinator was not reached yet");
    }

    @Test
    void aSecondCopySufficesBeforeTheCoordinatorIsReached() {
        Acknowledger acknowledger = acknowledger(
                new ReplicationPolicy(2, 1), MemoryCluster.stepped().join());
        acknowledger.hold(1, sender("a"));
        batches.append(journal, OWN, 1, 1);
        journal.sync();
        acknowledger.doWork();
        assertThat(told).isEmpty();

        followers.report("q2", 2, 1);
        acknowledger.doWork();

        assertThat(told).containsExactly("a ok");
    }

    /** Such a process has not written its registration. */
    @Test
    void aProcessThatJoinsWhileItLeavesNeedsASecondCopyIfItMayHaveAProof() {
        self.announce(member("q1", SESSION));
        self.announce(
                new QueueMember("q1", SESSION, "q1:1", "q1:2", SESSION, "", Positions.NONE, Positions.NONE, true));

        assertThat(refusal(acknowledger(1))).contains("only 1 of 2");
    }

    @Test
    void aProcessWithoutAProofThatHasNotReachedTheCoordinatorYetAcknowledges() {
        MemoryCluster.Node unconnected = MemoryCluster.stepped().join();
        assertThat(unconnected.view().registration()).isEqualTo(RegisteredNodes.UNKNOWN);
        journal.identity().noteRegistered("h", true);
        Acknowledger acknowledger = acknowledger(ReplicationPolicy.of(1), unconnected);
        acknowledger.hold(1, sender("a"));
        batches.append(journal, OWN, 1, 1);
        journal.sync();

        acknowledger.doWork();

        assertThat(told).containsExactly("a ok");
    }

    /** Such a process has the id of a member and a copy of its data folder. */
    @Test
    void aProcessOutsideOfTheGroupAcknowledgesNothing() {
        cluster.join().announce(member("q1", SESSION + 1));

        assertThat(refusal(acknowledger(1))).contains("not a member").doesNotContain("does not answer", "only");
    }

    /** Returns what the sender of a durable batch learns after the timeout, and not earlier. */
    private String refusal(Acknowledger acknowledger) {
        acknowledger.hold(1, sender("a"));
        batches.append(journal, OWN, 1, 1);
        journal.sync();
        acknowledger.doWork();
        assertThat(told).isEmpty();
        clock.advance(TIMEOUT);
        acknowledger.doWork();
        assertThat(told).singleElement().asString().startsWith("a: ");
        return told.get(0);
    }

    @Test
    void aMemberWithoutASessionAcknowledgesUntilAnotherProcessHasItsId() {
        self.announce(member("q1", SESSION));
        Acknowledger acknowledger = acknowledger(1);
        batches.append(journal, OWN, 1, 4);
        journal.sync();
        acknowledger.hold(1, sender("a"));
        acknowledger.doWork();
        self.disconnect();
        self.expire();
        acknowledger.hold(2, sender("b"));
        acknowledger.doWork();
        assertThat(told).as("the session is expired").hasSize(2);

        MemoryCluster.Node other = cluster.join();
        other.announce(member("q1", SESSION + 1));
        self.reconnect();
        acknowledger.hold(3, sender("c"));
        acknowledger.doWork();
        assertThat(told).as("another process has the id").hasSize(2);

        other.close();
        self.announce(member("q1", SESSION));
        acknowledger.doWork();
        assertThat(told).hasSize(3);
    }

    /** A paused process, or one without a network: the cluster ends its cycles without the journal of this process. */
    @Test
    void aRemovedProcessAcknowledgesNothing() {
        cluster.lose("h");
        self.announce(member("q1", SESSION).with(JournalState.of(7)));
        self.announce(member("q1", SESSION).with(JournalState.registered(7, "h")));
        Acknowledger acknowledger = acknowledger(1);
        batches.append(journal, OWN, 1, 4);
        journal.sync();
        acknowledger.hold(1, sender("a"));
        acknowledger.doWork();
        self.disconnect();
        self.expire();
        cluster.unregister(List.of("q1"), cluster.truth().journals().losses());
        cluster.join().announce(member("q2", SESSION + 1));

        self.reconnect();
        acknowledger.hold(2, sender("b"));
        acknowledger.doWork();

        assertThat(told).containsExactly("a ok");
    }

    /** The view without a connection that follows is no reason to acknowledge again. */
    @Test
    void aReplacedProcessAcknowledgesNothingAlthoughNoSenderWaitedMeanwhile() {
        self.announce(member("q1", SESSION));
        Acknowledger acknowledger = acknowledger(1);
        batches.append(journal, OWN, 1, 4);
        journal.sync();
        acknowledger.doWork();
        self.disconnect();
        self.expire();
        cluster.join().announce(member("q1", SESSION + 1));
        self.reconnect();
        acknowledger.doWork();

        self.disconnect();
        acknowledger.hold(1, sender("a"));
        acknowledger.doWork();

        assertThat(told).isEmpty();
    }

    @Test
    void succeedsOnceTheOwnJournalIsDurable() {
        self.announce(member("q1", SESSION));
        Acknowledger acknowledger = acknowledger(2);
        acknowledger.hold(1, sender("a"));
        acknowledger.hold(3, sender("b"));
        acknowledger.doWork();
        assertThat(told).isEmpty();

        batches.append(journal, OWN, 1, 2);
        journal.sync();
        acknowledger.doWork();
        assertThat(told)
                .as("one node belongs to the group, so one copy is all there can be")
                .containsExactly("a ok");

        batches.append(journal, OWN, 3, 1);
        journal.sync();
        assertThat(acknowledger.doWork()).isEqualTo(1);
        assertThat(told).containsExactly("a ok", "b ok");
        assertThat(counters.get(QueueCounter.ACKNOWLEDGE_COMPLETED)).isEqualTo(2);
    }

    @Test
    void aLoneSurvivorSucceedsOnlyWhereTheConfigurationLetsIt() {
        MemoryCluster.Node other = cluster.join();
        self.announce(member("q1", SESSION));
        other.announce(member("q2", 2));
        Acknowledger strict = acknowledger(ReplicationPolicy.of(2));
        Acknowledger lenient = acknowledger(new ReplicationPolicy(2, 1));
        strict.hold(5, sender("strict"));
        lenient.hold(5, sender("lenient"));
        batches.append(journal, OWN, 1, 5);
        journal.sync();
        strict.doWork();
        lenient.doWork();
        assertThat(told).as("both nodes live").isEmpty();

        other.close();
        strict.doWork();
        lenient.doWork();

        assertThat(told).containsExactly("lenient ok");
        assertThat(counters.get(QueueCounter.ACKNOWLEDGE_BELOW_COPIES)).isEqualTo(1);
        assertThat(new ReplicationPolicy(2, 1).alarm(self.view()).orElseThrow()).contains("1 of the 2", "only 1 of 2");
        assertThat(ReplicationPolicy.of(2).alarm(self.view()).orElseThrow()).contains("Writes wait", "only 1 of 2");
    }

    @Test
    void waitsForAsManyJournalsAsConfigured() {
        self.announce(member("q1", SESSION));
        cluster.join().announce(member("q2", 2));
        cluster.join().announce(member("q3", 3));
        Acknowledger two = acknowledger(2);
        Acknowledger three = acknowledger(3);
        two.hold(5, sender("two"));
        three.hold(5, sender("three"));
        batches.append(journal, OWN, 1, 5);
        journal.sync();

        followers.report("q2", 2, 4);
        two.doWork();
        assertThat(told).isEmpty();

        followers.report("q2", 2, 5);
        two.doWork();
        three.doWork();
        assertThat(told).containsExactly("two ok");

        followers.report("q3", 3, 7);
        three.doWork();
        assertThat(told).containsExactly("two ok", "three ok");
    }

    @Test
    void deadNodeStillCountsAsOneThatMustHoldACopy() {
        self.announce(member("q1", SESSION));
        MemoryCluster.Node dead = cluster.join();
        dead.announce(member("q2", 2));
        dead.close();
        Acknowledger acknowledger = acknowledger(2);
        acknowledger.hold(1, sender("a"));
        batches.append(journal, OWN, 1, 1);
        journal.sync();

        acknowledger.doWork();
        assertThat(told).isEmpty();
        clock.advance(TIMEOUT);
        acknowledger.doWork();
        assertThat(told).containsExactly("a: only 1 of 2 journals hold the points: only 1 of 2 queue nodes run");
    }

    @Test
    void namesWhoDoesNotAnswer() {
        self.announce(member("q1", SESSION));
        cluster.join().announce(member("q2", 2));
        Acknowledger acknowledger = acknowledger(2);
        batches.append(journal, OWN, 1, 1);
        journal.sync();
        acknowledger.hold(1, sender("a"));
        clock.advance(TIMEOUT.minusMillis(1));
        acknowledger.hold(2, sender("b"));
        assertThat(acknowledger.doWork()).isZero();

        clock.advance(Duration.ofMillis(1));
        acknowledger.doWork();
        assertThat(told).containsExactly("a: only 1 of 2 journals hold the points: queue node q2 does not answer");
        assertThat(counters.get(QueueCounter.ACKNOWLEDGE_FAILED)).isEqualTo(1);

        followers.report("q2", 2, 9);
        clock.advance(TIMEOUT);
        acknowledger.doWork();
        assertThat(told.get(1))
                .isEqualTo("b: only 1 of 2 journals hold the points: the journal of this node is full or its disk does"
                        + " not answer");
    }

    @Test
    void beforeTheFirstViewAllCopiesAreNeeded() {
        Acknowledger acknowledger =
                acknowledger(ReplicationPolicy.of(2), MemoryCluster.stepped().join());
        acknowledger.hold(1, sender("a"));
        batches.append(journal, OWN, 1, 1);
        journal.sync();
        acknowledger.doWork();
        assertThat(told).isEmpty();

        clock.advance(TIMEOUT);
        acknowledger.doWork();
        assertThat(told.get(0)).contains("only 1 of 2", "the coordinator was not reached yet");
    }

    @Test
    void holdsBackABoundedNumber() {
        self.announce(member("q1", SESSION));
        Acknowledger acknowledger = acknowledger(1);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < CAPACITY; i++) {
                assertThat(acknowledger.hasRoom()).isTrue();
                acknowledger.hold(0, sender("x"));
            }
            assertThat(acknowledger.hasRoom()).isFalse();
            assertThat(acknowledger.doWork()).isEqualTo(CAPACITY);
        }
    }

    @Test
    void nobodyIsLeftWithoutAnAnswer() {
        self.announce(member("q1", SESSION));
        Acknowledger acknowledger = acknowledger(1);
        acknowledger.hold(1, sender("a"));
        acknowledger.hold(2, sender("b"));
        batches.append(journal, OWN, 1, 1);
        journal.sync();

        acknowledger.onClose();

        assertThat(told).hasSize(2).first().isEqualTo("a ok");
        assertThat(told.get(1)).contains("the queue node stops", "send them again");
    }
}
