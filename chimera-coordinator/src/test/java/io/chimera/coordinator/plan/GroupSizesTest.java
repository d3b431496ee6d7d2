package io.chimera.coordinator.plan;

import static io.chimera.common.cluster.ClusterKit.leaving;
import static io.chimera.common.cluster.ClusterKit.queue;
import static io.chimera.common.cluster.ClusterKit.view;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.Roster;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class GroupSizesTest {
    private static final JournalGroup MAIN = JournalGroup.DEFAULT;
    private static final JournalGroup EAST = new JournalGroup("east");

    @Test
    void countsEachGroupAlone() {
        Roster roster = new Roster(new TreeMap<>(Map.of("q1", MAIN, "q2", MAIN, "q3", EAST)));
        GroupSizes sizes =
                GroupSizes.of(view(roster, queue("q1", 1), queue("q3", 3).in(EAST)));

        assertThat(sizes.registered(MAIN)).isEqualTo(2);
        assertThat(sizes.live(MAIN)).isEqualTo(1);
        assertThat(sizes.isWhole(MAIN)).isFalse();
        assertThat(sizes.nodes(EAST)).isEqualTo(1);
        assertThat(sizes.isWhole(EAST)).isTrue();
        assertThat(sizes.registered(new JournalGroup("west"))).isZero();
        assertThat(sizes.isWhole(new JournalGroup("west"))).isFalse();
    }

    @Test
    void aLaneCountsTheNodesOfItsConfiguredGroup() {
        Roster roster = new Roster(new TreeMap<>(Map.of("q1", EAST, "q2", EAST, "q1.1", EAST.lane(1))));
        GroupSizes sizes = GroupSizes.of(view(roster));

        assertThat(sizes.nodes(EAST.lane(1))).isEqualTo(2);
        assertThat(sizes.registered(EAST.lane(1))).isEqualTo(1);
        assertThat(sizes.nodes(EAST.lane(2))).as("a lane without a member").isZero();
    }

    @Test
    void agreesWithTheViewOfTheGroup() {
        Roster roster = new Roster(
                new TreeMap<>(Map.of("q1", EAST, "q2", EAST, "q1.1", EAST.lane(1), "q5", MAIN)),
                new TreeSet<>(List.of("q9")));
        ClusterView view = view(roster, queue("q1", 1).in(EAST));

        for (JournalGroup group : List.of(MAIN, EAST, EAST.lane(1))) {
            assertThat(GroupSizes.of(view).nodes(group))
                    .as(group.name())
                    .isEqualTo(view.in(group).registered());
        }
    }

    @Test
    void aDrainingNodeDoesNotCompleteAGroup() {
        Roster roster = new Roster(new TreeMap<>(Map.of("q3", EAST)));

        assertThat(GroupSizes.of(view(roster, leaving(queue("q3", 3).in(EAST)))).isWhole(EAST))
                .isFalse();
    }
}
