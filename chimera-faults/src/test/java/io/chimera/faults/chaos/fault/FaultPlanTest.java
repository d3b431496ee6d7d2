package io.chimera.faults.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.error.ChimeraException;
import io.chimera.faults.chaos.cluster.NodeConfiguration;
import io.chimera.faults.chaos.cluster.RowStore;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class FaultPlanTest {
    private static final FaultPlan.Hosts HOSTS = new FaultPlan.Hosts(
            List.of("c1", "c2"), Map.of("main", List.of("q1", "q2", "q3")), List.of("p1", "p2", "p3"), "q3", "p3");
    private static final FaultPlan.Hosts GROUPS = new FaultPlan.Hosts(
            List.of("c1", "c2"),
            new TreeMap<>(Map.of("main", List.of("q1", "q2"), "g2", List.of("q3", "q4"))),
            List.of("p1", "p2", "p3"),
            "q4",
            "p3");
    private static final List<FaultKind> ALL = List.of(FaultKind.values());

    @Test
    void isAFunctionOfTheSeed() {
        assertThat(faults(7, 100)).isEqualTo(faults(7, 100)).isNotEqualTo(faults(8, 100));
    }

    @Test
    void hasTheFaultsOfEarlierReleasesWithASingleGroup() {
        FaultPlan plan = new FaultPlan(1, HOSTS, possible(cluster(RowStore.KAIROSDB, true, 1)));

        List<String> faults = new ArrayList<>();
        for (int i = 0; i < 18; i++) {
            Fault fault = plan.next();
            String companion = plan.companion(fault)
                    .map(second -> " + " + second.description())
                    .orElse("");
            faults.add(fault.description() + companion + " " + fault.holdMs() + " " + fault.pauseMs());
        }

        assertThat(String.join("\n", faults)).isEqualTo("""
                partition_two_way q1 and q3 4752 1627
                zookeeper_data_lost 1630 595
                store_kill 1843 1444
                processor_pause p3 2862 1066
                clock_step c2 by -38 s 2738 1642
                link_down p1 4902 2094
                coordinator_pause c2 4071 584
                queue_kill q1 1000 552
                processor_kill p2 + link_down q2 2249 1183
                partition_from_zookeeper q2 + coordinator_kill c1 5782 1103
                disk_full q3 + partition_two_way q2 and q3 5471 1158
                coordinator_kill c1 1697 2291
                zookeeper_quorum_loss 1206 1996
                intruder 11749 517
                queue_pause q1 4057 1747
                partition_one_way q2 to q1 + intruder 4962 1475
                zookeeper_leader_kill + queue_kill q1 3731 2448
                disk_lost q2 1719 1109""");
    }

    @Test
    void hasEachKindOnceBeforeAnyComesAgain() {
        List<Fault> faults = faults(7, 3 * ALL.size());

        for (int deck = 0; deck < 3; deck++) {
            assertThat(faults.subList(deck * ALL.size(), (deck + 1) * ALL.size()))
                    .extracting(Fault::kind)
                    .containsExactlyInAnyOrderElementsOf(ALL);
        }
    }

    @Test
    void strikesOftenEnoughForAShortRun() {
        long ms = faults(7, 15).stream()
                .mapToLong(fault -> fault.holdMs() + fault.pauseMs())
                .sum();

        assertThat(ms).as("leaves half of five minutes for recovery").isLessThan(150_000);
    }

    @Test
    void undoesEachWithinItsLimit() {
        assertThat(faults(3, 1_000))
                .allMatch(fault -> fault.holdMs() >= fault.kind().holdMsMin()
                        && fault.holdMs() <= fault.kind().holdMsMax());
    }

    @Test
    void picksVictimsOfTheRightRole() {
        for (Fault fault : faults(5, 2_000)) {
            String role = fault.victim().isEmpty() ? "" : fault.victim().substring(0, 1);
            switch (fault.kind()) {
                case QUEUE_KILL, QUEUE_PAUSE, DISK_LOST -> assertThat(role).isEqualTo("q");
                case PROCESSOR_KILL, PROCESSOR_PAUSE, ARCHIVE_FLUSH_KILL ->
                    assertThat(role).isEqualTo("p");
                case COORDINATOR_KILL, COORDINATOR_PAUSE -> assertThat(role).isEqualTo("c");
                case DISK_FULL -> assertThat(fault.victim()).isEqualTo("q3");
                case ARCHIVE_DEVICE_FAILS -> assertThat(fault.victim()).isEqualTo("p3");
                case PARTITION_ONE_WAY, PARTITION_TWO_WAY ->
                    assertThat(fault.victim() + fault.peer()).matches("(q\\dp\\d|p\\dq\\d|q1q[23]|q2q[13]|q3q[12])");
                case PARTITION_FROM_ZOOKEEPER, LINK_DOWN, CLOCK_STEP ->
                    assertThat(role).isNotEmpty();
                case GROUP_KILL, GROUP_KILL_BETWEEN_CYCLES ->
                    assertThat(fault.victim()).isEqualTo("main");
                case ZOOKEEPER_LEADER_KILL, ZOOKEEPER_QUORUM_LOSS, ZOOKEEPER_DATA_LOST, STORE_KILL, INTRUDER ->
                    assertThat(role).isEmpty();
            }
            assertThat(fault.stepSeconds() != 0).isEqualTo(fault.kind() == FaultKind.CLOCK_STEP);
        }
    }

    @Test
    void nowAndThenTwoStrikeThatDoNotGetIntoEachOthersWay() {
        FaultPlan plan = new FaultPlan(7, HOSTS, ALL);
        int pairs = 0;
        for (int i = 0; i < 1_000; i++) {
            Fault first = plan.next();
            Optional<Fault> second = plan.companion(first);
            if (second.isPresent()) {
                pairs++;
                assertThat(second.get().kind()).matches(kind -> kind.goesWith(first.kind()));
                assertThat(first.victim().isEmpty()
                                || !first.victim().equals(second.get().victim()))
                        .isTrue();
            }
        }

        assertThat(pairs).isBetween(100, 300);
        assertThat(FaultKind.DISK_LOST.goesWith(FaultKind.DISK_LOST)).isFalse();
        assertThat(FaultKind.DISK_LOST.goesWith(FaultKind.ZOOKEEPER_DATA_LOST)).isFalse();
        assertThat(FaultKind.ZOOKEEPER_DATA_LOST.goesWith(FaultKind.QUEUE_KILL)).isFalse();
        assertThat(FaultKind.ZOOKEEPER_LEADER_KILL.goesWith(FaultKind.ZOOKEEPER_QUORUM_LOSS))
                .isFalse();
    }

    @Test
    void leavesOutWhatCannotHappenHere() {
        List<FaultKind> possible = Stream.of(FaultKind.values())
                .filter(kind -> kind != FaultKind.CLOCK_STEP)
                .toList();
        FaultPlan plan = new FaultPlan(1, HOSTS, possible);

        EnumSet<FaultKind> seen = EnumSet.noneOf(FaultKind.class);
        for (int i = 0; i < 100; i++) {
            seen.add(plan.next().kind());
        }

        assertThat(seen).containsExactlyInAnyOrderElementsOf(possible);
    }

    @Test
    void refusesAPlanOfNothing() {
        assertThatThrownBy(() -> new FaultPlan(1, HOSTS, List.of()))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("--faults");
    }

    @Test
    void destroysAtMostOneDiskOfAGroupAtATime() {
        FaultPlan plan = new FaultPlan(7, GROUPS, ALL);
        int inBothGroups = 0;
        for (int i = 0; i < 2_000; i++) {
            Fault first = plan.next();
            Optional<Fault> second = plan.companion(first);
            if (second.filter(fault -> fault.kind() == first.kind()).isPresent()) {
                assertThat(first.kind()).matches(FaultKind::hasTwins);
                assertThat(GROUPS.groupOf(second.get().victim())).isNotEqualTo(GROUPS.groupOf(first.victim()));
                inBothGroups += first.kind() == FaultKind.DISK_LOST ? 1 : 0;
            }
            if (first.kind().isOfGroup()) {
                assertThat(second).isEmpty();
            }
        }

        assertThat(inBothGroups).isPositive();
    }

    @Test
    void picksVictimsOfAllGroups() {
        FaultPlan plan = new FaultPlan(7, GROUPS, ALL);
        Set<String> killed = new TreeSet<>();
        Set<String> ended = new TreeSet<>();
        for (int i = 0; i < 2_000; i++) {
            Fault fault = plan.next();
            switch (fault.kind()) {
                case QUEUE_KILL -> killed.add(fault.victim());
                case GROUP_KILL, GROUP_KILL_BETWEEN_CYCLES -> ended.add(fault.victim());
                case PARTITION_ONE_WAY, PARTITION_TWO_WAY ->
                    assertThat(fault.victim() + fault.peer()).matches("q\\dp\\d|p\\dq\\d|q1q2|q2q1|q3q4|q4q3");
                default -> {}
            }
        }

        assertThat(killed).containsExactly("q1", "q2", "q3", "q4");
        assertThat(ended).containsExactly("g2", "main");
    }

    @Test
    void eachClusterHasItsOwnFaults() {
        assertThat(impossible(cluster(RowStore.ARCHIVE, true, 2))).containsExactly(FaultKind.STORE_KILL);
        assertThat(impossible(cluster(RowStore.KAIROSDB, true, 2)))
                .containsExactlyInAnyOrder(FaultKind.ARCHIVE_FLUSH_KILL, FaultKind.ARCHIVE_DEVICE_FAILS);
        assertThat(impossible(cluster(RowStore.ARCHIVE, false, 2)))
                .containsExactlyInAnyOrder(
                        FaultKind.STORE_KILL,
                        FaultKind.ARCHIVE_FLUSH_KILL,
                        FaultKind.ZOOKEEPER_LEADER_KILL,
                        FaultKind.ZOOKEEPER_QUORUM_LOSS);
        assertThat(impossible(cluster(RowStore.ARCHIVE, true, 1)))
                .containsExactlyInAnyOrder(
                        FaultKind.STORE_KILL, FaultKind.GROUP_KILL, FaultKind.GROUP_KILL_BETWEEN_CYCLES);
    }

    private static NodeConfiguration cluster(RowStore store, boolean hasEnsemble, int groups) {
        return new NodeConfiguration(false, store, hasEnsemble, groups, 1);
    }

    private static List<FaultKind> possible(NodeConfiguration cluster) {
        return ALL.stream().filter(kind -> kind.isOf(cluster)).toList();
    }

    private static List<FaultKind> impossible(NodeConfiguration cluster) {
        return ALL.stream().filter(kind -> !kind.isOf(cluster)).toList();
    }

    @Test
    void saysWhatHappens() {
        assertThat(new Fault(1, FaultKind.PARTITION_ONE_WAY, "q1", "p2", 1, 1, 0).description())
                .isEqualTo("partition_one_way q1 to p2");
        assertThat(new Fault(1, FaultKind.CLOCK_STEP, "c1", "", 1, 1, -20).description())
                .isEqualTo("clock_step c1 by -20 s");
        assertThat(new Fault(1, FaultKind.STORE_KILL, "", "", 1, 1, 0).description())
                .isEqualTo("store_kill");
    }

    private static List<Fault> faults(long seed, int count) {
        FaultPlan plan = new FaultPlan(seed, HOSTS, ALL);
        List<Fault> faults = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            faults.add(plan.next());
        }
        return faults;
    }
}
