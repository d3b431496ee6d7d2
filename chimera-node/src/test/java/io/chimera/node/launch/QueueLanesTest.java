package io.chimera.node.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.identity.LaneId;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.DrainableNode;
import io.chimera.queue.QueueIdentity;
import io.chimera.queue.peer.LocalNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Drains and removals of a queue node with two lanes, beside another queue node with two lanes. */
final class QueueLanesTest {
    private static final String NODE = "q1";
    private static final String OTHER = "q2";
    private static final long OTHER_SESSION = 20;

    private final FakeNode first = new FakeNode();
    private final FakeNode second = new FakeNode();
    private final List<String> removed = new ArrayList<>();
    private final List<QueueMember> members = new ArrayList<>();
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

    private ClusterView view() {
        return ClusterView.NONE.with(members);
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
                new QueueLeave(NODE, identity, node, this::view, removed::add));
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
        public boolean isRemovable() {
            return isRemovable;
        }
    }
}
