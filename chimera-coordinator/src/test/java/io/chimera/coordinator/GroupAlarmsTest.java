package io.chimera.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.RegisteredNodes;
import io.chimera.common.cluster.Replays;
import io.chimera.common.cluster.Roster;
import io.chimera.common.cluster.archive.Archives;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class GroupAlarmsTest {
    private static final JournalGroup MAIN = JournalGroup.DEFAULT;
    private static final JournalGroup EAST = new JournalGroup("east");
    private static final ReplicationPolicy TWO = ReplicationPolicy.of(2);

    @Test
    void aWholeClusterHasNone() {
        Roster roster = new Roster(new TreeMap<>(Map.of("q1", MAIN, "q2", EAST)));

        assertThat(GroupAlarms.of(view(roster, member("q1", 1, MAIN, false), member("q2", 2, EAST, false)), TWO))
                .isEmpty();
    }

    @Test
    void namesAGroupWithoutALiveNode() {
        Roster roster = new Roster(new TreeMap<>(Map.of("q1", MAIN, "q2", EAST)));

        assertThat(GroupAlarms.of(view(roster, member("q1", 1, MAIN, false)), TWO))
                .singleElement()
                .asString()
                .contains("east", "q2");
    }

    @Test
    void namesReducedReplicationOfAGroup() {
        Roster roster = new Roster(new TreeMap<>(Map.of("q1", MAIN, "q2", EAST, "q3", EAST)));
        ClusterView view = view(roster, member("q1", 1, MAIN, false), member("q2", 2, EAST, false));

        assertThat(GroupAlarms.of(view, new ReplicationPolicy(2, 1)))
                .singleElement()
                .asString()
                .contains("east", "Replication reduced");
    }

    @Test
    void namesANodeWithFewerLanes() {
        Roster roster = new Roster(new TreeMap<>(Map.of("q1", EAST, "q2", EAST, "q1.1", EAST.lane(1))));
        ClusterView view = view(
                roster,
                member("q1", 1, EAST, false),
                member("q2", 2, EAST, false),
                member("q1.1", 3, EAST.lane(1), false));

        assertThat(GroupAlarms.of(view, TWO)).singleElement().asString().contains("q2", "lane 1", "queue.lanes");
    }

    @Test
    void namesANodeWhoseGroupIsUnknown() {
        Roster roster = new Roster(new TreeMap<>(Map.of("q1", MAIN)), new TreeSet<>(List.of("q2")));

        assertThat(GroupAlarms.of(view(roster, member("q1", 1, MAIN, false)), TWO))
                .singleElement()
                .asString()
                .contains("q2", "group/", "Restart");
    }

    private static QueueMember member(String id, long session, JournalGroup group, boolean isLeaving) {
        return new QueueMember(
                id,
                group,
                session,
                "a",
                "h",
                session + 10,
                List.of(new ConfigurationDigest("d")),
                Positions.NONE,
                Positions.NONE,
                isLeaving,
                List.of(),
                0,
                List.of());
    }

    private static ClusterView view(Roster roster, QueueMember... live) {
        return new ClusterView(
                1,
                true,
                List.of(live),
                List.of(),
                RegisteredNodes.of(roster.size()),
                new TreeMap<>(),
                LowMark.NONE,
                Replays.NONE,
                Archives.NONE,
                roster);
    }
}
