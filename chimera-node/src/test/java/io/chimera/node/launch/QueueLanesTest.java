package io.chimera.node.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.CopiedJournals;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.JournalLosses;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.RegisteredNodes;
import io.chimera.common.cluster.Replays;
import io.chimera.common.cluster.Roster;
import io.chimera.common.cluster.archive.Archives;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.identity.LaneId;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.DrainableNode;
import io.chimera.queue.QueueIdentity;
import io.chimera.queue.RemovalNote;
import io.chimera.queue.peer.LocalNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Drains and removals of a queue node with two lanes, beside another queue node with two lanes. */
final class QueueLanesTest {
    private static final String NODE = "q1";
    private static final String OTHER = "q2";
    private static final long OTHER_SESSION = 20;

    private final FakeNode first = new FakeNode();
    private final FakeNode second = new FakeNode();
    private final List<String> removed = new ArrayList<>();
    private final List<QueueMember> members = new ArrayList<>();

    /** Registered lanes of the default group that are not live. */
    private final List<String> registered = new ArrayList<>();

    private boolean isZooKeeperAway;
    private final QueueLanes lanes = new QueueLanes(
            this::view,
            List.of(lane(0, first), lane(1, second)),
            new LaneCores(NODE, List.of(), List.of()),
            new ManualClock());

    @BeforeEach
    void announceTwoNodes() {
        for (int lane = 0; lane < 2; lane++) {
            members.add(member(NODE, lane, lane));
            members.add(member(OTHER, lane, OTHER_SESSION + lane));
        }
    }

    @Test
    void tellsWhichLaneHoldsUpARemoval() {
        second.isRemovable = false;

        lanes.leave(true);
        lanes.awaits();

        assertThat(lanes.waits()).singleElement().asString().contains("lane 1", "copies");

        second.isRemovable = true;
        lanes.awaits();
        assertThat(lanes.waits()).isEmpty();
    }

    @Test
    void tellsWhatAllLanesWaitForOnce() {
        first.awaited = "cycle 4 to be committed";
        second.awaited = "cycle 4 to be committed";
        assertThat(lanes.waits()).as("before the drain").isEmpty();

        lanes.leave(false);

        assertThat(lanes.waits()).containsExactly("waits for cycle 4 to be committed");
    }

    @Test
    void removesAllLanesOfADrainedNode() {
        lanes.leave(true);

        assertThat(lanes.awaits()).isEmpty();
        assertThat(removed).containsExactly("q1", "q1.1");
        assertThat(lanes.awaits()).isEmpty();
        assertThat(removed).as("each lane once").hasSize(2);
    }

    /** A process that dies between the removal and the note would leave a folder that acknowledges points alone. */
    @Test
    void notesARemovalBeforeTheRemoval() {
        second.note = RemovalNote.REQUESTED;
        lanes.leave(true);

        assertThat(lanes.awaits().orElseThrow()).contains("lane 1", "note of the removal");
        assertThat(removed).containsExactly("q1");

        second.note = RemovalNote.DURABLE;
        assertThat(lanes.awaits()).isEmpty();
        assertThat(removed).containsExactly("q1", "q1.1");
    }

    @Test
    void staysRegisteredWhileTheDiskRefusesTheNote() {
        second.note = RemovalNote.OVERDUE;
        lanes.leave(true);

        for (int poll = 0; poll < 2; poll++) {
            assertThat(lanes.awaits().orElseThrow()).contains("cannot be written", "remove --lost q1");
        }
        assertThat(lanes.waits()).singleElement().asString().contains("cannot be written");
        assertThat(removed).containsExactly("q1");

        second.note = RemovalNote.DURABLE;
        assertThat(lanes.awaits()).isEmpty();
        assertThat(removed).containsExactly("q1", "q1.1");
    }

    /** The registration is gone already, so a process that waits for its disk would wait in vain. */
    @Test
    void stopsWithoutTheNoteOnceAnOperatorHasRemovedTheLane() {
        first.note = RemovalNote.REQUESTED;
        lanes.leave(true);
        members.removeIf(member -> member.id().equals("q1"));
        assertThat(lanes.awaits().orElseThrow()).contains("note of the removal");

        first.note = RemovalNote.OVERDUE;

        assertThat(lanes.awaits()).isEmpty();
        assertThat(removed).containsExactly("q1.1");
    }

    @Test
    void warnsOfOpenPointsThatNoOtherNodeHas() {
        first.isRemovable = false;
        first.hasOpenRecords = false;
        second.isRemovable = false;

        assertThat(warningsOfADrain()).singleElement().asString().contains("neither stored nor copied", "node=q1.1");
    }

    @Test
    void doesNotKnowWithoutZooKeeperWhetherPointsAreOpen() {
        second.isRemovable = false;
        isZooKeeperAway = true;

        assertThat(warningsOfADrain())
                .singleElement()
                .asString()
                .contains("not know whether", "node=q1.1")
                .doesNotContain("neither");
    }

    private List<String> warningsOfADrain() {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger log = (Logger) LoggerFactory.getLogger(QueueLeave.class);
        lines.start();
        log.addAppender(lines);
        try {
            lanes.leave(false);
            assertThat(lanes.awaits()).isEmpty();
        } finally {
            log.detachAppender(lines);
        }
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void removesNoLaneOfANodeThatIsOnlyDrained() {
        lanes.leave(false);

        assertThat(lanes.awaits()).isEmpty();
        assertThat(removed).isEmpty();
    }

    /** A lane that hangs keeps the process alive, and its registration: the cluster waits for its journal. */
    @Test
    void waitsForALaneThatHangs() {
        first.awaited = "cycle 4 to be committed";

        lanes.leave(true);

        for (int poll = 0; poll < 3; poll++) {
            assertThat(lanes.awaits().orElseThrow()).contains("lane 0", "cycle 4");
        }
        assertThat(removed).as("the other lane does not wait").containsExactly("q1.1");

        first.awaited = "";
        assertThat(lanes.awaits()).isEmpty();
        assertThat(removed).containsExactly("q1.1", "q1");
    }

    @Test
    void waitsForALaneThatNoOtherNodeHasCopied() {
        second.isRemovable = false;

        lanes.leave(true);

        assertThat(lanes.awaits().orElseThrow()).contains("lane 1", "copies");
        assertThat(removed).containsExactly("q1");

        second.isRemovable = true;
        assertThat(lanes.awaits()).isEmpty();
        assertThat(removed).containsExactly("q1", "q1.1");
    }

    @Test
    void retriesARemovalThatZooKeeperRefuses() {
        isZooKeeperAway = true;
        lanes.leave(true);
        assertThat(lanes.awaits().orElseThrow()).contains("ZooKeeper");
        assertThat(removed).isEmpty();

        isZooKeeperAway = false;
        assertThat(lanes.awaits()).isEmpty();
        assertThat(removed).containsExactly("q1", "q1.1");
    }

    @Test
    void noLaneLeavesIfOneCannotBeRemoved() {
        members.removeIf(member -> member.id().equals("q1.1"));
        members.add(member(NODE, 1, 99)); // another process has the id of lane 1

        assertThatThrownBy(() -> lanes.leave(true))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("q1.1");

        assertThat(first.isLeaving).isFalse();
        assertThat(second.isLeaving).isFalse();
        assertThat(lanes.waits()).isEmpty();
    }

    /** Two nodes of a group that are removed at once wait for each other. */
    @Test
    void namesTheRemedyWhenTheOtherNodeOfItsGroupLeavesToo() {
        first.isRemovable = false;
        lanes.leave(true);
        assertThat(lanes.awaits().orElseThrow()).doesNotContain("restart");

        members.removeIf(member -> member.id().equals(OTHER));
        members.add(new QueueMember(
                OTHER, OTHER_SESSION, "a:1", "a:2", OTHER_SESSION, "d", Positions.NONE, Positions.NONE, true));

        assertThat(lanes.awaits().orElseThrow()).contains("lane 0", "copies", "restart");
    }

    /** A finished drain keeps the registration until a removal is requested. */
    @Test
    void removesADrainedNodeOnRequest() {
        lanes.leave(false);
        assertThat(lanes.awaits()).isEmpty();

        lanes.leave(true);

        assertThat(lanes.awaits()).isEmpty();
        assertThat(removed).containsExactly("q1", "q1.1");
    }

    @Test
    void isNotRemovedWhenAnotherProcessTakesTheIdDuringTheDrain() {
        first.awaited = "cycle 4 to be committed";
        lanes.leave(true);
        members.removeIf(member -> member.id().equals(NODE));
        members.add(member(NODE, 0, 99));
        first.awaited = "";

        assertThat(lanes.awaits()).isEmpty();
        assertThat(removed).containsExactly("q1.1");
    }

    @Test
    void lanesJoinAfterLane0() {
        members.removeIf(member -> member.id().startsWith(NODE));
        assertThat(lanes.lanesToJoin()).isEmpty();
        registered.add("q1");
        registered.add("q1.1");
        assertThat(lanes.lanesToJoin()).as("lane 0 may be refused").isEmpty();

        members.add(member(NODE, 0, 0));

        assertThat(lanes.lanesToJoin()).extracting(QueueLane::number).containsExactly(1);
    }

    /** The process of a removal has ended between its lanes. The rest of the node must be drained and removed. */
    @Test
    void aLaneWhoseLane0WasRemovedJoinsAndCanBeRemoved() {
        members.removeIf(member -> member.id().startsWith(NODE));
        registered.add("q1.1");

        assertThat(lanes.lanesToJoin()).extracting(QueueLane::number).containsExactly(1);
        assertThat(lanes.lanesToJoin()).as("once").isEmpty();

        members.add(member(NODE, 1, 1));
        lanes.leave(true);
        assertThat(lanes.awaits()).isEmpty();
        assertThat(removed).containsExactly("q1.1");
    }

    @Test
    void cannotBeRemovedBeforeItHasJoined() {
        registered.add("q1");
        members.removeIf(member -> member.id().equals(NODE));

        assertThatThrownBy(() -> lanes.leave(true)).hasMessageContaining("has not joined");
        assertThat(first.isLeaving).isFalse();
    }

    /** The reply of ZooKeeper was lost, and the session has expired: the removed lane may not join again. */
    @Test
    void stopsWithoutASessionOnceItIsNotRegisteredAnyMore() {
        registered.add("q1");
        lanes.leave(true);
        members.removeIf(member -> member.id().equals(NODE));
        assertThat(lanes.awaits().orElseThrow()).contains("departure");

        registered.clear();

        assertThat(lanes.awaits()).isEmpty();
        assertThat(removed).containsExactly("q1.1");
    }

    @Test
    void isNotRemovedAsTheOnlyNodeThatStays() {
        members.removeIf(member -> member.id().startsWith(OTHER));

        assertThatThrownBy(() -> lanes.leave(true)).hasMessageContaining("only live queue node");
        assertThat(first.isLeaving).isFalse();

        lanes.leave(false);
        assertThat(first.isLeaving).as("a drain without removal is permitted").isTrue();
    }

    private void unregister(String member, JournalLosses seen) {
        if (isZooKeeperAway) {
            throw new ChimeraException(Category.ERROR, "not connected");
        }
        removed.add(member);
    }

    private ClusterView view() {
        SortedMap<String, JournalGroup> groups = new TreeMap<>();
        registered.forEach(id -> groups.put(id, JournalGroup.DEFAULT));
        members.forEach(member -> groups.put(member.id(), member.group()));
        return new ClusterView(
                1,
                !isZooKeeperAway,
                members,
                List.of(),
                RegisteredNodes.of(groups.size()),
                new TreeMap<>(),
                LowMark.NONE,
                Replays.NONE,
                Archives.NONE,
                new Roster(groups),
                CopiedJournals.NONE);
    }

    private QueueLane lane(int number, FakeNode node) {
        QueueIdentity identity = new QueueIdentity(
                new LocalNode("test", LaneId.of(NODE, number), JournalGroup.DEFAULT.lane(number), number, 100 + number),
                "localhost",
                "localhost:1",
                new ConfigurationDigest("d"),
                Path.of("unused"));
        return new QueueLane(
                number,
                identity,
                new Counters<>(QueueCounter.class),
                null,
                null,
                new QueueLeave(NODE, identity, node, this::view, this::unregister));
    }

    private static QueueMember member(String node, int lane, long session) {
        return new QueueMember(
                        LaneId.of(node, lane),
                        session,
                        "a:1",
                        "a:2",
                        session,
                        "d",
                        Positions.NONE,
                        Positions.NONE,
                        false)
                .in(JournalGroup.DEFAULT.lane(lane));
    }

    private static final class FakeNode implements DrainableNode {
        private boolean isLeaving;
        private boolean isRemovable = true;
        private RemovalNote note = RemovalNote.DURABLE;
        private boolean hasOpenRecords = true;
        private String awaited = "";

        @Override
        public void leave() {
            isLeaving = true;
        }

        @Override
        public Optional<String> awaits() {
            return Optional.of(awaited).filter(reason -> isLeaving && !reason.isEmpty());
        }

        @Override
        public boolean isCopied() {
            return isRemovable;
        }

        @Override
        public boolean hasOpenRecords() {
            return hasOpenRecords;
        }

        @Override
        public boolean isRemovable() {
            return isRemovable;
        }

        @Override
        public JournalLosses losses() {
            return JournalLosses.NONE;
        }

        @Override
        public RemovalNote noteRemoval() {
            return note;
        }
    }
}
