package io.chimera.coordinator.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.coordinator.watch.ClusterEvent;
import io.chimera.coordinator.watch.ClusterEvent.Kind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the log events of nodes and their work. */
final class ClusterEventTest extends ConductorRig {
    /** Time between the end of a process and the end of its session. */
    private static final Duration SESSION = Duration.ofSeconds(4);

    private static final Duration LONG = UNREACHABLE_AFTER.multipliedBy(3);

    @Test
    void namesEveryNodeThatJoinsAfterTheFirstView() {
        conductor.doWork();
        members();

        assertThat(of(Kind.JOINED))
                .extracting(event -> event.node().id())
                .containsExactlyInAnyOrder("p1", "p2", "q1", "q2");
        assertThat(of(Kind.JOINED)).extracting(event -> event.node().role()).containsOnly("queue", "processor");
        assertThat(of(Kind.JOINED).get(0).line())
                .contains("role=queue node=q1")
                .contains("session=b")
                .contains("address=a");

        run(EVERY);
        assertThat(of(Kind.JOINED)).hasSize(4);
    }

    @Test
    void doesNotCallNodesNewThatWereThereBeforeTheCoordinator() {
        members();
        run(EVERY);

        assertThat(events).isEmpty();
    }

    @Test
    void namesADeadProcessorItsWorkAndTheNodesThatGetIt() {
        beginWithThreeProcessors();
        commit(1, 21);
        kill("p3");
        run(GRACE.plusMillis(50));

        ClusterEvent died = of(Kind.DIED).get(0);
        assertThat(died.node().role()).isEqualTo("processor");
        assertThat(died.node().id()).isEqualTo("p3");
        assertThat(died.cycles()).containsExactly(1L);
        assertThat(died.parts()).isZero();
        assertThat(died.shards()).isEqualTo(1);
        ClusterEvent moved = of(Kind.REASSIGNED).get(0);
        assertThat(moved.node().id()).isEqualTo("p3");
        assertThat(moved.node().role()).isEqualTo("processor");
        assertThat(moved.cycles()).containsExactly(1L);
        assertThat(moved.shards()).isEqualTo(1);
        assertThat(moved.line()).contains("reason=gone").contains("version=1").containsPattern("to=\\[p[12]]");
        assertThat(events).hasSize(2);
    }

    @Test
    void namesADeadQueueNodeAndItsParts() {
        beginWithThreeProcessors();
        kill("q1");
        run(GRACE.plusMillis(50));

        assertThat(of(Kind.DIED)).singleElement().satisfies(died -> {
            assertThat(died.node().role()).isEqualTo("queue");
            assertThat(died.node().id()).isEqualTo("q1");
            assertThat(died.parts()).isEqualTo(1);
        });
        assertThat(of(Kind.REASSIGNED)).singleElement().satisfies(moved -> {
            assertThat(moved.node().id()).isEqualTo("q1");
            assertThat(moved.parts()).isEqualTo(1);
            assertThat(moved.line()).contains("to=[q2]");
        });
    }

    @Test
    void tellsADrainFromADeath() {
        beginWithThreeProcessors();
        announce(processor("p3", 23, "d", true));
        run(Duration.ofMillis(50));
        assertThat(of(Kind.DRAINING)).singleElement().satisfies(drain -> {
            assertThat(drain.node().id()).isEqualTo("p3");
            assertThat(drain.shards()).isEqualTo(1);
        });
        commitAll();
        kill("p3");
        run(GRACE.plusMillis(50));

        assertThat(of(Kind.LEFT)).singleElement().satisfies(left -> {
            assertThat(left.node().id()).isEqualTo("p3");
            assertThat(left.shards()).isZero();
        });
        assertThat(of(Kind.DIED)).isEmpty();
    }

    @Test
    void reportsNoDeathOfASessionThatIsBackWithinTheGrace() {
        members();
        nodes.get("p1").expire();
        run(GRACE.dividedBy(2));
        cluster.step(); // p1 announces its session again
        run(GRACE.multipliedBy(3));

        assertThat(events).isEmpty();
    }

    @Test
    void reportsADeathOnceAlsoWhenTheLeadChangesMeanwhile() {
        members();
        kill("p1");
        run(GRACE.dividedBy(2));
        lead.disconnect();
        conductor.doWork();
        lead.reconnect();
        run(GRACE.multipliedBy(3));

        assertThat(of(Kind.DIED)).extracting(event -> event.node().id()).containsExactly("p1");
    }

    // A node without a channel

    @Test
    void doesNotCallAProcessorUnreachableWhileItJoins() {
        members();
        announce(processor("p3", 23, "d", false));
        reach("q1", List.of(23L));
        reach("q2", List.of(23L));
        run(UNREACHABLE_AFTER.minusSeconds(1));
        reach("q1", List.of());
        reach("q2", List.of());
        run(LONG);

        assertThat(of(Kind.UNREACHABLE)).isEmpty();
        assertThat(of(Kind.REACHABLE)).isEmpty();
    }

    @Test
    void doesNotCallNodesUnreachableWhileTheClusterStarts() {
        announce(processor("p1", 21, "d", false));
        announce(processor("p2", 22, "d", false));
        reach("q1", List.of(21L));
        run(Duration.ofSeconds(5));
        reach("q2", List.of(21L, 22L));
        reach("q1", List.of());
        run(Duration.ofSeconds(5));
        reach("q2", List.of());
        run(LONG);

        assertThat(of(Kind.UNREACHABLE)).isEmpty();
    }

    @Test
    void callsAKilledProcessorDeadAndNotUnreachable() {
        beginWithThreeProcessors();
        reach("q1", List.of(22L));
        reach("q2", List.of(22L));
        run(SESSION);
        assertThat(assignment(1).processors()).doesNotContain(22L);
        kill("p2");
        run(LONG);

        assertThat(of(Kind.UNREACHABLE)).isEmpty();
        assertThat(of(Kind.REASSIGNED).get(0).line()).contains("node=p2").contains("reason=unreachable");
        assertThat(of(Kind.DIED)).extracting(event -> event.node().id()).containsExactly("p2");
    }

    @Test
    void callsALiveProcessorUnreachableOnceWhenThatLastsAndSaysWhenItIsOver() {
        members();
        reach("q1", List.of(22L));
        reach("q2", List.of(22L));
        run(LONG);
        assertThat(of(Kind.UNREACHABLE)).singleElement().satisfies(event -> {
            assertThat(event.node().role()).isEqualTo("processor");
            assertThat(event.node().id()).isEqualTo("p2");
            assertThat(event.line()).contains("node.host");
        });

        reach("q1", List.of());
        reach("q2", List.of());
        run(LONG);

        assertThat(of(Kind.REACHABLE)).extracting(event -> event.node().id()).containsExactly("p2");
        assertThat(of(Kind.UNREACHABLE)).hasSize(1);
    }

    @Test
    void callsAQueueNodeUnreachableThatReachesNoProcessor() {
        members();
        reach("q2", List.of(21L, 22L));
        run(LONG);

        assertThat(of(Kind.UNREACHABLE)).extracting(event -> event.node().id()).containsExactly("q2");
    }

    private void beginWithThreeProcessors() {
        members();
        announce(processor("p3", 23, "d", false));
        journal(A, 5);
        run(EVERY);
        assertThat(assignment(1).processors()).containsExactly(21L, 22L, 23L);
        events.clear();
    }

    private void commit(long number, long session) {
        cluster.join()
                .commit(
                        new ShardCommit(number, 0, session, new ShardCommit.Accounts(5, 0, 0, 0), 1, 1),
                        assignment(number).version());
    }

    private void reach(String id, List<Long> unreachable) {
        long session = 10 + Long.parseLong(id.substring(1));
        announce(new QueueMember(
                id,
                JournalGroup.DEFAULT,
                session,
                "a",
                "h",
                session + 1000,
                List.of(new ConfigurationDigest("d")),
                Positions.NONE,
                Positions.of(A, 5),
                false,
                unreachable,
                0,
                List.of()));
    }

    private List<ClusterEvent> of(Kind kind) {
        return events.stream().filter(event -> event.kind() == kind).toList();
    }
}
