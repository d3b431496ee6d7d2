package io.chimera.coordinator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.CopiedJournals;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleGroups;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.RegisteredNodes;
import io.chimera.common.cluster.Replays;
import io.chimera.common.cluster.Roster;
import io.chimera.common.cluster.StreamGroups;
import io.chimera.common.cluster.archive.Archives;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Cuts of a group whose queue nodes have different numbers of lanes. */
final class CutsTest {
    private static final JournalGroup GROUP = JournalGroup.DEFAULT;
    private static final long STREAM = 11;

    @Test
    void omitsRecordsOfALaneWithFewerCopiesThanTheNodesOfTheGroupAllow() {
        QueueMember lane = member("q1.1", 1, GROUP.lane(1), 5);
        ClusterView view = view(List.of("q1", "q2"), List.of("q1.1"), List.of(lane));

        assertThat(cut(view)).isZero();
        assertThat(ReplicationPolicy.of(2).needed(view.in(GROUP.lane(1))))
                .as("copies before an acknowledgement")
                .isEqualTo(2);
    }

    @Test
    void takesRecordsOfALaneWithEnoughCopies() {
        List<QueueMember> lanes = List.of(member("q1.1", 1, GROUP.lane(1), 5), member("q2.1", 2, GROUP.lane(1), 4));
        ClusterView view = view(List.of("q1", "q2", "q3"), List.of("q1.1", "q2.1"), lanes);

        assertThat(cut(view)).isEqualTo(4);
    }

    @Test
    void aStreamOfALaneIsFinishedOnceAllMembersOfTheLaneLive() {
        QueueMember lane = member("q1.1", 1, GROUP.lane(1), 0);
        ClusterView view = view(List.of("q1", "q2"), List.of("q1.1"), List.of(lane));

        assertThat(GroupSizes.of(view).isWhole(GROUP.lane(1))).isTrue();
    }

    @Test
    void aNodeWhoseGroupIsUnknownLowersNoNumberOfCopies() {
        JournalGroup east = new JournalGroup("east");
        TreeMap<String, JournalGroup> known = new TreeMap<>(Map.of("q1", east, "q2", GROUP));
        QueueMember live = member("q1", 1, east, 5);
        ClusterView view = view(new Roster(known, new TreeSet<>(Set.of("q3"))), List.of(live));

        assertThat(cut(view)).as("a record with one copy").isZero();
        assertThat(ReplicationPolicy.of(2).needed(view.in(east))).isEqualTo(2);
        assertThat(GroupSizes.of(view).nodes(east)).isEqualTo(2);
        assertThat(GroupSizes.of(view).isWhole(east)).as("a stream may end").isFalse();
        assertThat(GroupSizes.of(view).registered(new JournalGroup("gone")))
                .as("a retired group may be the group of the node")
                .isPositive();
    }

    @Test
    void aStreamOfARetiredGroupEndsOnceItsCyclesAreVerified() {
        StreamGroups streams = StreamGroups.copyOf(Map.of(99L, new JournalGroup("east")));
        Positions cut = Positions.of(99, 5);
        CycleGroups groups = new CycleGroups(List.of(new CycleGroups.Parts(GROUP, 0, 1)), streams);
        Cycle cycle = new Cycle(1, 1, CycleTime.of(1_000), cut, List.of(1L), List.of(21L), Optional.empty(), groups);
        OpenCycle open = new OpenCycle(cycle, new Assignment(0, List.of(1L), List.of(21L)), new TreeMap<>());
        Roster roster = new Roster(new TreeMap<>(Map.of("q1", GROUP)));
        List<QueueMember> live = List.of(member("q1", 1, GROUP, 0));
        LowMark verified =
                new LowMark(1, 1_000, cut, ConfigurationDigest.NONE, LowMark.Totals.ZERO, "history", streams);

        assertThat(Cuts.finished(view(roster, live, new TreeMap<>(Map.of(1L, open)), LowMark.NONE)))
                .isEmpty();
        assertThat(Cuts.finished(view(roster, live, new TreeMap<>(), verified))).containsExactly(99L);
    }

    private static long cut(ClusterView view) {
        return Cuts.furthest(view, ReplicationPolicy.of(2), Set.of()).at(STREAM);
    }

    private static ClusterView view(List<String> nodes, List<String> lanes, List<QueueMember> live) {
        TreeMap<String, JournalGroup> groups = new TreeMap<>();
        nodes.forEach(node -> groups.put(node, GROUP));
        lanes.forEach(lane -> groups.put(lane, GROUP.lane(1)));
        return view(new Roster(groups), live);
    }

    private static ClusterView view(Roster roster, List<QueueMember> live) {
        return view(roster, live, new TreeMap<>(), LowMark.NONE);
    }

    private static ClusterView view(
            Roster roster, List<QueueMember> live, SortedMap<Long, OpenCycle> cycles, LowMark low) {
        return new ClusterView(
                1,
                true,
                live,
                List.of(),
                RegisteredNodes.of(roster.size()),
                cycles,
                low,
                Replays.NONE,
                Archives.NONE,
                roster,
                CopiedJournals.NONE);
    }

    private static QueueMember member(String id, long session, JournalGroup group, long upTo) {
        return new QueueMember(
                id,
                group,
                session,
                "a:1",
                "h:2",
                session + 10,
                List.of(new ConfigurationDigest("d")),
                Positions.NONE,
                upTo == 0 ? Positions.NONE : Positions.of(STREAM, upTo),
                false,
                List.of(),
                0,
                List.of());
    }
}
