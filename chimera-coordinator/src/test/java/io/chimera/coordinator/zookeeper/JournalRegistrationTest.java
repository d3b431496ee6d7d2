package io.chimera.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ControlMark;
import io.chimera.common.cluster.CopiedJournals;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.JournalLosses;
import io.chimera.common.cluster.JournalState;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.RegisteredNodes;
import io.chimera.common.cluster.Replays;
import io.chimera.common.cluster.Roster;
import io.chimera.common.cluster.archive.Archives;
import io.chimera.coordinator.zookeeper.znode.MalformedZnodeException;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Tests whether a node may register in a tree of the history "h" with four cycles, without and with an earlier
 * registration.
 */
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

    /** The folder of lane 0 has the folders of the other lanes. */
    @Test
    void namesTheLanesThatAreStillRegistered() {
        SortedMap<String, JournalGroup> groups = new TreeMap<>();
        groups.put("q1.1", JournalGroup.DEFAULT.lane(1));
        ClusterView tree = new ClusterView(
                1,
                true,
                List.of(),
                List.of(),
                RegisteredNodes.of(1),
                new TreeMap<>(),
                LOW,
                Replays.NONE,
                Archives.NONE,
                new Roster(groups),
                CopiedJournals.NONE);
        QueueMember self = new QueueMember("q1", 11, "a", "h", 111, "d", Positions.NONE, Positions.NONE, false)
                .with(JournalState.registered(7, "h"));

        assertThat(new JournalRegistration(self).refusalWithout(tree).orElseThrow())
                .contains("q1.1", "chimera cluster remove");
        assertThat(new JournalRegistration(self).refusalWithout(TREE).orElseThrow())
                .doesNotContain("lanes");
    }

    @Test
    void namesTheFolderOfALane() {
        QueueMember lane = new QueueMember("q1.1", 11, "a", "h", 111, "d", Positions.NONE, Positions.NONE, false)
                .in(JournalGroup.DEFAULT.lane(1))
                .with(JournalState.registered(7, "h"));

        assertThat(new JournalRegistration(lane).refusalWithout(TREE).orElseThrow())
                .contains("lane-1");
    }

    /** The node died before it noted the registration, or its note is lost. */
    @Test
    void refusesANodeWhoseCopyOfTheControlStateNamesIt() {
        ControlMark kept = ControlMark.of("h", 3, 4);
        JournalState named = JournalState.of(7).namedIn("h");

        assertThat(isRefused(named, kept)).isTrue();
        assertThat(isRefused(named, ControlMark.of("h", 3, 5))).isFalse();
        assertThat(isRefused(JournalState.of(7).namedIn("earlier"), kept)).isFalse();
        assertThat(new JournalRegistration(self(named)).isReturning()).isTrue();
        assertThat(isRefused(JournalState.registered(7, "earlier").namedIn("h"), kept))
                .as("the copy is newer than the note")
                .isTrue();
    }

    @Test
    void refusesTheFolderBeforeTheRegisteredOne() {
        JournalState returning = JournalState.registered(7, "h");

        assertThat(isRefusedAfter(7, returning)).isFalse();
        assertThat(isRefusedAfter(8, returning)).isTrue();
        assertThat(isRefusedAfter(8, JournalState.of(7))).isFalse();
    }

    /** Damage gives a folder a new id, and its registration still names the earlier one. */
    @Test
    void permitsTheRegisteredFolderAfterDamage() {
        JournalState damaged = JournalState.registered(7, "h").replacing(List.of(5L, 6L));

        assertThat(isRefusedAfter(5, damaged)).isFalse();
        assertThat(isRefusedAfter(6, damaged)).isFalse();
        assertThat(isRefusedAfter(8, damaged)).isTrue();
        assertThat(new JournalRegistration(self(damaged)).isLoss(registration(6)))
                .isTrue();
    }

    /** The folder that names the node may be a new one: the registration of the earlier one is in its copy too. */
    @Test
    void permitsANewFolderWhoseCopyNamesTheNode() {
        assertThat(isRefusedAfter(8, JournalState.of(7).namedIn("h"))).isFalse();
    }

    @Test
    void namesTheOperatorsChoicesForALostFolder() throws MalformedZnodeException {
        QueueMember lane = new QueueMember("q1.1", 11, "a", "h", 111, "d", Positions.NONE, Positions.NONE, false)
                .in(JournalGroup.DEFAULT.lane(1))
                .with(JournalState.of(7));
        byte[] earlier = ZnodeCodec.registered(lane.with(JournalState.of(0x1f)));
        byte[] losses = ZnodeCodec.losses(JournalLosses.NONE);

        assertThat(new JournalRegistration(lane)
                        .refusalOfLoss(earlier, losses, TREE)
                        .orElseThrow())
                .contains("node.data_dir", "identity.json", "1f", "q1.1", "chimera cluster remove --lost q1.1,");
        assertThat(new JournalRegistration(lane)
                        .refusalOfLoss(ZnodeCodec.registered(lane.with(JournalState.NONE)), losses, TREE)
                        .orElseThrow())
                .as("after a recovery")
                .doesNotContain("identity.json");
    }

    /** A loss since the proof ends the proof. */
    @Test
    void permitsTheLossOfACopiedJournal() throws MalformedZnodeException {
        byte[] earlier = ZnodeCodec.registered(self(JournalState.of(8).copiedAfter(1)));
        JournalRegistration empty = new JournalRegistration(self(JournalState.of(7)));
        JournalLosses one = JournalLosses.NONE.plus(JournalGroup.DEFAULT);
        ClusterView tree = new ClusterView(
                1,
                true,
                List.of(),
                List.of(),
                RegisteredNodes.of(1),
                new TreeMap<>(),
                LOW,
                Replays.NONE,
                Archives.NONE,
                new Roster(new TreeMap<>(Map.of("q1", JournalGroup.DEFAULT))),
                new CopiedJournals(one, new TreeMap<>(Map.of("q1", 1L))));

        assertThat(empty.refusalOfLoss(earlier, ZnodeCodec.losses(one), tree)).isEmpty();
        assertThat(empty.refusalOfLoss(earlier, ZnodeCodec.losses(one.plus(JournalGroup.DEFAULT)), tree))
                .isPresent();
    }

    private static boolean isRefusedAfter(long registered, JournalState journal) {
        return new JournalRegistration(self(journal))
                .refusalAfter(registration(registered))
                .isPresent();
    }

    private static byte[] registration(long journal) {
        return ZnodeCodec.registered(self(JournalState.of(journal)));
    }

    private static boolean isRefused(String registeredIn, ControlMark kept) {
        return isRefused(JournalState.registered(7, registeredIn), kept);
    }

    private static boolean isRefused(JournalState journal, ControlMark kept) {
        return new JournalRegistration(self(journal).keeping(kept))
                .refusalWithout(TREE)
                .isPresent();
    }

    private static QueueMember self(JournalState journal) {
        return new QueueMember("q1", 11, "a", "h", 111, "d", Positions.NONE, Positions.NONE, false).with(journal);
    }
}
