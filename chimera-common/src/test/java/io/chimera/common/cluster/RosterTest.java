package io.chimera.common.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.membership.ReplicationPolicy;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Numbers of nodes and of members of a lane when nodes have different numbers of lanes. */
final class RosterTest {
    private static final JournalGroup EAST = new JournalGroup("east");
    private static final Roster ROSTER = roster();

    private static Roster roster() {
        TreeMap<String, JournalGroup> groups = new TreeMap<>();
        groups.put("q1", EAST);
        groups.put("q1.1", EAST.lane(1));
        groups.put("q2", EAST);
        groups.put("w1", JournalGroup.DEFAULT);
        return new Roster(groups);
    }

    private static ClusterView view() {
        return ClusterKit.view(ROSTER);
    }

    @Test
    void knowsTheNodeOfALaneByItsGroup() {
        SortedMap<String, JournalGroup> groups = new TreeMap<>();
        groups.put("q1", JournalGroup.DEFAULT);
        groups.put("q1.1", JournalGroup.DEFAULT.lane(1));
        groups.put("old.1", JournalGroup.DEFAULT);
        Roster roster = new Roster(groups, new TreeSet<>(List.of("q1.2", "lost.3")));

        assertThat(roster.lanesOf("q1")).containsExactly("q1", "q1.1", "q1.2");
        assertThat(roster.lanesOf("old")).isEmpty();
        assertThat(roster.lanesOf("old.1")).containsExactly("old.1");
        assertThat(roster.nodeOf("lost.3")).isEqualTo("lost.3");
        assertThat(roster.nodeOf("q1.7")).isEqualTo("q1");
    }

    @Test
    void countsTheNodesOfTheConfiguredGroup() {
        assertThat(ROSTER.nodes(EAST)).isEqualTo(2);
        assertThat(ROSTER.nodes(EAST.lane(1))).isEqualTo(2);
        assertThat(ROSTER.nodes(JournalGroup.DEFAULT)).isEqualTo(1);
        assertThat(ROSTER.nodes(JournalGroup.DEFAULT.lane(1))).isEqualTo(1);
    }

    @Test
    void namesTheNodesWithoutALane() {
        assertThat(ROSTER.lacking(EAST)).isEmpty();
        assertThat(ROSTER.lacking(EAST.lane(1))).containsExactly("q2");
    }

    @Test
    void aLaneNeedsAsManyCopiesAsItsConfiguredGroup() {
        ClusterView lane = view().in(EAST.lane(1));

        assertThat(lane.members()).isEqualTo(1);
        assertThat(lane.registered()).isEqualTo(2);
        assertThat(ReplicationPolicy.of(3).full(lane)).isEqualTo(2);
        assertThat(ReplicationPolicy.of(3).needed(lane)).isEqualTo(2);
    }

    @Test
    void aLaneWithoutAMemberIsNotRegistered() {
        assertThat(view().in(EAST.lane(2)).registration()).isEqualTo(RegisteredNodes.NONE);
        assertThat(ClusterView.NONE.in(EAST).registration()).isEqualTo(RegisteredNodes.UNKNOWN);
    }

    @Test
    void everyGroupCountsANodeWhoseGroupIsUnknown() {
        Roster roster = new Roster(ROSTER.groups(), new TreeSet<>(List.of("q3")));

        assertThat(roster.ids()).contains("q3");
        assertThat(roster.size()).isEqualTo(ROSTER.size() + 1);
        assertThat(roster.in(EAST).ids()).contains("q3");
        assertThat(roster.nodes(EAST)).isEqualTo(3);
        assertThat(roster.nodes(EAST.lane(1))).isEqualTo(3);
        assertThat(roster.nodes(JournalGroup.DEFAULT)).isEqualTo(2);
    }

    @Test
    void anotherRosterResolvesAnUnknownGroup() {
        Roster unknown = new Roster(new TreeMap<>(), new TreeSet<>(List.of("q1", "q9")));

        assertThat(unknown.resolvedBy(ROSTER).groups()).containsOnly(Map.entry("q1", EAST));
        assertThat(unknown.resolvedBy(ROSTER).unknown()).containsExactly("q9");
        assertThat(ROSTER.and(unknown).groups()).isEqualTo(ROSTER.groups());
        assertThat(ROSTER.and(unknown).unknown()).containsExactly("q9");
    }

    @Test
    void theGroupOfALaneNamesTheConfiguredGroupAndTheLane() {
        assertThat(EAST.lane(12).base()).isEqualTo(EAST);
        assertThat(EAST.lane(12).laneNumber()).isEqualTo(12);
        assertThat(EAST.base()).isEqualTo(EAST);
        assertThat(EAST.laneNumber()).isZero();
    }
}
