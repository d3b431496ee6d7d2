package io.chimera.faults.chaos.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class JournalCopiesTest {
    private static final JournalGroup EAST = new JournalGroup("east");
    private static final Map<JournalGroup, Positions> WANTED = JournalCopies.newest(view(
            member("q1", JournalGroup.DEFAULT, Positions.of(7, 100)),
            member("q2", JournalGroup.DEFAULT, Positions.of(7, 90, 8, 20)),
            member("q3", EAST, Positions.of(9, 5))));

    @Test
    void wantsTheHighestPositionsOfEachGroup() {
        assertThat(WANTED)
                .isEqualTo(Map.of(JournalGroup.DEFAULT, Positions.of(7, 100, 8, 20), EAST, Positions.of(9, 5)));
    }

    @Test
    void waitsForEachJournalOfAGroup() {
        Positions all = Positions.of(7, 100, 8, 20);

        assertThat(JournalCopies.isCopied(
                        view(member("q1", JournalGroup.DEFAULT, all), member("q2", JournalGroup.DEFAULT, all)), WANTED))
                .isTrue();
        assertThat(JournalCopies.isCopied(
                        view(
                                member("q1", JournalGroup.DEFAULT, all),
                                member("q2", JournalGroup.DEFAULT, Positions.of(7, 100, 8, 19))),
                        WANTED))
                .isFalse();
    }

    @Test
    void doesNotWaitForRecordsOfVerifiedCycles() {
        LowMark low = new LowMark(3, 1_000, Positions.of(7, 100, 8, 20), LowMark.Totals.ZERO);
        ClusterView view = new ClusterView(
                1,
                true,
                List.of(member("q1", JournalGroup.DEFAULT, Positions.NONE)),
                List.of(),
                2,
                new TreeMap<>(),
                low);

        assertThat(JournalCopies.isCopied(view, WANTED)).isTrue();
    }

    private static ClusterView view(QueueMember... members) {
        return new ClusterView(1, true, List.of(members), List.of(), members.length, new TreeMap<>(), LowMark.NONE);
    }

    private static QueueMember member(String id, JournalGroup group, Positions positions) {
        return new QueueMember(id, id.hashCode(), "host:1", "host:2", 1, "digest", Positions.NONE, positions, false)
                .in(group);
    }
}
