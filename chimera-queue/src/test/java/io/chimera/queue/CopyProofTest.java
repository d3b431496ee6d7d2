package io.chimera.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.Replays;
import io.chimera.common.cluster.Roster;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.MemoryJournal;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.peer.LocalNode;
import io.chimera.queue.peer.PeerNetwork;
import io.chimera.queue.replication.Acknowledger;
import io.chimera.queue.replication.Followers;
import io.chimera.queue.replication.WaitLimits;
import io.chimera.testkit.channel.MemoryNetwork;
import io.chimera.testkit.cluster.MemoryCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class CopyProofTest {
    private static final long SESSION = 11;
    private static final long OWN = 111;

    private final ManualClock clock = new ManualClock();
    private final MemoryJournal journal = new MemoryJournal(SyncPolicy.BATCH, 1, clock);
    private final MemoryCluster cluster = MemoryCluster.immediate();
    private final MemoryCluster.Node self = cluster.join();
    private final MemoryCluster.Node peer = cluster.join();
    private final Batches batches = new Batches();
    private final LocalNode local = new LocalNode("test", "q1", SESSION, OWN);
    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    private final QueueEnvironment surroundings = new QueueEnvironment(
            clock,
            self,
            QueuePorts.open(new MemoryNetwork().transport("q1"), new QueueDrainTest.FakeListeners(), clock),
            counters,
            error -> {},
            PluginHost.ofClassPath());
    private final Followers followers = new Followers();
    private final Acknowledger acknowledger = new Acknowledger(
            new PeerNetwork(local, self, new MemoryNetwork().transport("q1"), clock),
            journal,
            followers,
            ReplicationPolicy.of(2),
            WaitLimits.DEFAULT,
            counters);
    private final CopyProof proof = proof(ReplicationPolicy.of(2));

    private CopyProof proof(ReplicationPolicy copies) {
        return new CopyProof(
                new QueueIdentity(local, "q1", "q1:2", new ConfigurationDigest("d"), Path.of("unused")),
                surroundings,
                journal,
                acknowledger,
                copies);
    }

    @Test
    void isNotGivenWhileTheNodeIsAlone() {
        self.announce(member("q1", SESSION, Positions.NONE));
        run();

        assertThat(proof.state().copied()).isEmpty();
    }

    /** The records from the time alone are in one journal until the second node has copied them. */
    @Test
    void waitsUntilTheSecondNodeHasCopiedEarlierRecords() {
        self.announce(member("q1", SESSION, Positions.NONE));
        append(5);
        run();
        peer.announce(member("q2", 12, Positions.of(OWN, 4)));
        run();
        assertThat(proof.state().copied()).isEmpty();

        append(2); // acknowledged after two journals hold them
        peer.announce(member("q2", 12, Positions.of(OWN, 5)));
        run();

        assertThat(proof.state().copied()).hasValue(0);
    }

    /** The acknowledger may still use a view in which the node is alone. */
    @Test
    void beginsOnceTheAcknowledgerUsesTheNewView() {
        self.announce(member("q1", SESSION, Positions.NONE));
        peer.announce(member("q2", 12, Positions.NONE));
        look();
        assertThat(proof.state().copied()).isEmpty();
        append(3); // acknowledged with the old view
        followers.follow(self.view());
        acknowledger.doWork();
        look();
        assertThat(proof.state().copied()).isEmpty();

        peer.announce(member("q2", 12, Positions.of(OWN, 3)));
        look();

        assertThat(proof.state().copied()).hasValue(0);
    }

    /** The replicator may still report copies of a removed node. */
    @Test
    void beginsOnceTheReplicatorUsesTheNewView() {
        self.announce(member("q1", SESSION, Positions.NONE));
        peer.announce(member("q2", 12, Positions.NONE));
        acknowledger.doWork();
        look();
        append(3); // acknowledged after the report of a removed node
        followers.follow(self.view());
        look();
        assertThat(proof.state().copied()).isEmpty();

        peer.announce(member("q2", 12, Positions.of(OWN, 3)));
        look();

        assertThat(proof.state().copied()).hasValue(0);
    }

    @Test
    void endsWithTheLossOfAnotherJournal() {
        self.announce(member("q1", SESSION, Positions.NONE));
        peer.announce(member("q2", 12, Positions.of(OWN, 5)));
        cluster.join().announce(member("q3", 13, Positions.NONE));
        append(5);
        run();
        assertThat(proof.state().copied()).hasValue(0);

        peer.close();
        assertThat(cluster.unregister(List.of("q2"), cluster.truth().journals().losses()))
                .isTrue();
        run();

        assertThat(proof.state().copied()).isEmpty();
    }

    /** A node that leaves may be removed with its journal while it is still live. */
    @Test
    void countsNoJournalThatLeaves() {
        self.announce(member("q1", SESSION, Positions.NONE));
        peer.announce(member("q2", 12, Positions.of(OWN, 5)));
        peer.announce(new QueueMember("q2", 12, "q2:1", "q2:2", 112, "d", Positions.NONE, Positions.of(OWN, 5), true));
        append(5);
        run();

        assertThat(proof.state().copied()).isEmpty();
    }

    /** A later start with the folder of such a node must not acknowledge alone. */
    @Test
    void endsTheNoteOfANodeThatIsNotShown() {
        CopyProof lower = proof(new ReplicationPolicy(2, 1));
        self.announce(member("q1", SESSION, Positions.NONE));
        look(lower);
        assertThat(journal.identity().isUnproven()).isTrue();

        self.disconnect();
        self.expire();
        cluster.join().announce(member("q1", SESSION + 1, Positions.NONE));
        self.reconnect();
        look(lower);

        assertThat(journal.identity().isUnproven()).isFalse();
    }

    /** Another process with the id may register at once, so the view still shows the id. */
    @Test
    void notesTheRemovalAlthoughTheViewShowsTheNode() {
        CopyProof lower = proof(new ReplicationPolicy(2, 1));
        self.announce(member("q1", SESSION, Positions.NONE));
        look(lower);

        assertThat(lower.noteRemoval()).isEqualTo(RemovalNote.REQUESTED);
        look(lower);

        assertThat(lower.noteRemoval()).isEqualTo(RemovalNote.DURABLE);
        assertThat(journal.identity().isUnproven()).isFalse();
        look(lower);
        assertThat(journal.identity().isUnproven()).isFalse();
    }

    @Test
    void reportsADiskThatRefusesTheNoteOfTheRemoval() {
        CopyProof lower = proof(new ReplicationPolicy(2, 1));
        self.announce(member("q1", SESSION, Positions.NONE));
        look(lower);

        assertThat(lower.noteRemoval()).isEqualTo(RemovalNote.REQUESTED);
        clock.advance(Duration.ofSeconds(31)); // no look: the thread of the announcer hangs
        assertThat(lower.noteRemoval()).isEqualTo(RemovalNote.REQUESTED);
        clock.advance(Duration.ofSeconds(1));
        assertThat(lower.noteRemoval()).isEqualTo(RemovalNote.OVERDUE);

        look(lower);
        assertThat(lower.noteRemoval()).isEqualTo(RemovalNote.DURABLE);
    }

    /** The tree that returns may have lost the losses that it knew. */
    @Test
    void endsWithTheConnectionToTheTree() {
        self.announce(member("q1", SESSION, Positions.NONE));
        peer.announce(member("q2", 12, Positions.NONE));
        run();
        assertThat(proof.state().copied()).hasValue(0);

        self.disconnect();
        look();

        assertThat(proof.state().copied()).isEmpty();
    }

    @Test
    void notesTheTreeThatHasRegisteredTheNode() {
        cluster.lose("h");
        run();
        assertThat(journal.identity().registeredIn()).isEmpty();

        self.announce(member("q1", SESSION, Positions.NONE));
        run();

        assertThat(journal.identity().registeredIn()).contains("h");
    }

    /** A process that was cut off after its first registration must not register again after its removal. */
    @Test
    void countsAsReturningOnceItIsRegistered() {
        assertThat(proof.state().isReturning()).isFalse();

        self.announce(member("q1", SESSION, Positions.NONE));
        run();

        assertThat(proof.state().isReturning()).isTrue();
    }

    /** The process died before its note, or the note was deleted. */
    @Test
    void countsAsReturningIfItsCopyOfTheControlStateNamesIt() {
        journal.control().keep(control("q2"));
        assertThat(proof(ReplicationPolicy.of(2)).state().isReturning()).isFalse();

        journal.control().keep(control("q1"));

        assertThat(proof(ReplicationPolicy.of(2)).state().namedIn()).contains("h");
        assertThat(proof(ReplicationPolicy.of(2)).state().registeredIn()).isEmpty();
        assertThat(proof.state().isReturning()).as("since the start").isFalse();
    }

    /** The note permits a later start to acknowledge alone before it reaches the coordinator. */
    @Test
    void notesThatItsRegistrationHasNoProofWhileOneCopyMayBeEnough() {
        CopyProof lenient = proof(new ReplicationPolicy(2, 1));
        look(lenient);
        assertThat(journal.identity().isUnproven())
                .as("before the registration")
                .isFalse();
        self.announce(member("q1", SESSION, Positions.NONE));

        look(lenient);
        assertThat(journal.identity().isUnproven()).isTrue();

        look(proof(ReplicationPolicy.of(2)));
        assertThat(journal.identity().isUnproven()).isFalse();
    }

    private static ControlState control(String registered) {
        return new ControlState(LowMark.begin("h"), 0, Roster.of(List.of(registered)), new TreeMap<>(), Replays.NONE);
    }

    private void append(int records) {
        batches.append(journal, OWN, journal.position(OWN) + 1, records);
        journal.sync();
    }

    private void run() {
        for (int look = 0; look < 3; look++) {
            followers.follow(self.view());
            acknowledger.doWork();
            look();
        }
    }

    private void look() {
        look(proof);
    }

    private void look(CopyProof looking) {
        clock.advance(Duration.ofMillis(60));
        looking.doWork();
    }

    private static QueueMember member(String id, long session, Positions positions) {
        return new QueueMember(id, session, id + ":1", id + ":2", session + 100, "d", Positions.NONE, positions, false);
    }
}
