package io.chimera.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ControlMark;
import io.chimera.common.cluster.JournalState;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.Replays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests whether a node without a registration may register in a tree of the history "h" with four cycles. */
final class JournalRegistrationTest {
    private static final LowMark LOW =
            new LowMark(4, 40, Positions.NONE, LowMark.NONE.digest(), LowMark.Totals.ZERO, "h");
    private static final ClusterView TREE =
            new ClusterView(1, true, List.of(), List.of(), 0, new TreeMap<>(), LOW, Replays.NONE);

    @Test
    void refusesANodeThatThisTreeHasRegistered() {
        assertThat(isRefused("h", ControlMark.NONE))
                .as("before the first cycle")
                .isTrue();
        assertThat(isRefused("h", ControlMark.of("h", 3, 4))).isTrue();
        assertThat(isRefused("h", ControlMark.of("earlier", 3, 9)))
                .as("with the copy of a tree before this one")
                .isTrue();
    }

    @Test
    void permitsANodeOfALostTree() {
        assertThat(isRefused("earlier", ControlMark.NONE)).isFalse();
        assertThat(isRefused("earlier", ControlMark.of("earlier", 3, 4))).isFalse();
        assertThat(isRefused("h", ControlMark.of("h", 3, 5)))
                .as("in an older state of the same tree")
                .isFalse();
    }

    /** Earlier releases noted no history. */
    @Test
    void decidesByTheCopyWithoutAKnownHistory() {
        assertThat(isRefused("", ControlMark.of("h", 3, 4))).isTrue();
        assertThat(isRefused("", ControlMark.of("h", 3, 5))).isFalse();
        assertThat(isRefused("", ControlMark.of("earlier", 3, 4))).isFalse();
        assertThat(isRefused("", ControlMark.NONE)).isFalse();
    }

    private static boolean isRefused(String registeredIn, ControlMark kept) {
        QueueMember self = new QueueMember("q1", 11, "a", "h", 111, "d", Positions.NONE, Positions.NONE, false)
                .with(JournalState.registered(7, registeredIn))
                .keeping(kept);
        return new JournalRegistration(self).refusalWithout(TREE).isPresent();
    }
}
