package io.chimera.coordinator;

import static io.chimera.common.cluster.ClusterKit.queue;
import static io.chimera.common.cluster.ClusterKit.view;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.CopiedJournals;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.JournalLosses;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.Roster;
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
        Roster roster = new Roster(new TreeMap<>(Map.of("q1", MAIN, "q2", EAST, "q3", MAIN, "q4", EAST)));

        assertThat(GroupAlarms.of(
                        view(
                                roster,
                                queue("q1", 1),
                                queue("q2", 2).in(EAST),
                                queue("q3", 3),
                                queue("q4", 4).in(EAST)),
                        TWO))
                .isEmpty();
    }

    @Test
    void namesAGroupWithFewerNodesThanCopies() {
        Roster roster = new Roster(new TreeMap<>(Map.of("q1", MAIN, "q2", EAST, "q3", MAIN)));

        assertThat(GroupAlarms.of(view(roster, queue("q1", 1), queue("q2", 2).in(EAST), queue("q3", 3)), TWO))
                .singleElement()
                .asString()
                .contains("east", "q2", "queue.acks", "1 copy");
    }

    @Test
    void aSingleGroupMayBeSmallerThanTheCopies() {
        Roster roster = new Roster(new TreeMap<>(Map.of("q1", MAIN, "q1.1", MAIN.lane(1))));

        assertThat(GroupAlarms.of(view(roster, queue("q1", 1), queue("q1.1", 2).in(MAIN.lane(1))), TWO))
                .isEmpty();
    }

    @Test
    void namesTheOnlyGroupWithFewerNodesThanCopiesAfterItHasLostANode() {
        Roster roster = new Roster(new TreeMap<>(Map.of("q1", MAIN, "q1.1", MAIN.lane(1))));
        ClusterView view =
                afterLoss(MAIN, view(roster, queue("q1", 1), queue("q1.1", 2).in(MAIN.lane(1))));

        assertThat(GroupAlarms.of(view, TWO))
                .singleElement()
                .asString()
                .contains("main", "1 of the 2", "1 copy", "Start another queue node with queue.group: main")
                .doesNotContain("mistake", "cluster remove");
        assertThat(GroupAlarms.of(view, ReplicationPolicy.of(1))).isEmpty();
    }

    @Test
    void theNameOfAGroupThatHasLostANodeIsNoMistake() {
        Roster roster = new Roster(new TreeMap<>(Map.of("q1", MAIN, "q2", EAST, "q3", MAIN)));
        ClusterView view = view(roster, queue("q1", 1), queue("q2", 2).in(EAST), queue("q3", 3));

        assertThat(GroupAlarms.of(afterLoss(EAST, view), TWO))
                .singleElement()
                .asString()
                .contains("queue.group: east", "empty node.data_dir")
                .doesNotContain("mistake");
        assertThat(GroupAlarms.of(afterLoss(MAIN, view), TWO))
                .singleElement()
                .asString()
                .contains("mistake");
    }

    private static ClusterView afterLoss(JournalGroup group, ClusterView view) {
        return new ClusterView(
                view.revision(),
                view.connected(),
                view.queues(),
                view.processors(),
                view.registration(),
                view.cycles(),
                view.low(),
                view.replays(),
                view.archives(),
                view.roster(),
                new CopiedJournals(JournalLosses.NONE.plus(group), new TreeMap<>()));
    }

    @Test
    void namesAGroupWithoutALiveNode() {
        Roster roster = new Roster(new TreeMap<>(Map.of("q1", MAIN, "q2", EAST, "q3", MAIN, "q4", EAST)));

        assertThat(GroupAlarms.of(view(roster, queue("q1", 1), queue("q3", 3)), TWO))
                .singleElement()
                .asString()
                .contains("east", "q2", "q4");
    }

    @Test
    void namesAGroupOnceForAllItsLanes() {
        Roster roster = new Roster(new TreeMap<>(Map.of("q1", MAIN, "q3", MAIN, "e1", EAST, "e1.1", EAST.lane(1))));

        assertThat(GroupAlarms.of(view(roster, queue("q1", 1), queue("q3", 3)), new ReplicationPolicy(1, 1)))
                .singleElement()
                .asString()
                .contains("east", "e1")
                .doesNotContain("--lost");
    }

    @Test
    void theOnlyGroupIsNoMistakeAndStartsNodesNotLanes() {
        Roster roster =
                new Roster(new TreeMap<>(Map.of("q1", MAIN, "q2", MAIN, "q1.1", MAIN.lane(1), "q2.1", MAIN.lane(1))));

        assertThat(GroupAlarms.of(view(roster, queue("q1", 1), queue("q2", 2)), TWO))
                .singleElement()
                .asString()
                .contains("main.1", "Start q1, q2.")
                .doesNotContain("--lost");
    }

    @Test
    void namesTheNodeToStartForTheStartOfNewPoints() {
        Roster roster = new Roster(new TreeMap<>(Map.of("q1", MAIN, "q2", MAIN, "q3", MAIN)));
        assertThat(GroupAlarms.of(view(roster, withoutStart("q1", 1), withoutStart("q2", 2)), TWO))
                .singleElement()
                .asString()
                .contains("start of its new points", "q3");
    }

    /** A queue node with the records 6 to 9 of a stream, whose records 1 to 5 are in no cycle. */
    private static QueueMember withoutStart(String id, long session) {
        return new QueueMember(
                id, session, "a:1", "h:2", session + 100, "d", Positions.of(77, 5), Positions.of(77, 9), false);
    }

    @Test
    void namesReducedReplicationOfAGroup() {
        Roster roster = new Roster(new TreeMap<>(Map.of("q0", MAIN, "q1", MAIN, "q2", EAST, "q3", EAST)));
        ClusterView view =
                view(roster, queue("q0", 3), queue("q1", 1), queue("q2", 2).in(EAST));

        assertThat(GroupAlarms.of(view, new ReplicationPolicy(2, 1)))
                .singleElement()
                .asString()
                .contains("east", "Replication reduced", "Start q3, or remove q3 from");
    }

    @Test
    void namesANodeWithFewerLanes() {
        Roster roster = new Roster(new TreeMap<>(Map.of("q1", EAST, "q2", EAST, "q1.1", EAST.lane(1))));
        ClusterView view = view(
                roster,
                queue("q1", 1).in(EAST),
                queue("q2", 2).in(EAST),
                queue("q1.1", 3).in(EAST.lane(1)));

        assertThat(GroupAlarms.of(view, TWO)).singleElement().asString().contains("q2", "lane 1", "queue.lanes");
    }

    @Test
    void namesANodeWhoseGroupIsUnknown() {
        Roster roster = new Roster(new TreeMap<>(Map.of("q1", MAIN)), new TreeSet<>(List.of("q2")));

        assertThat(GroupAlarms.of(view(roster, queue("q1", 1)), TWO))
                .anySatisfy(alarm -> assertThat(alarm).contains("q2", "group/", "Restart"))
                .anySatisfy(alarm -> assertThat(alarm).contains("Writes wait"));
    }
}
