package io.chimera.coordinator.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.coordinator.watch.ClusterEvent;
import io.chimera.coordinator.watch.ClusterEvent.Kind;
import io.chimera.coordinator.watch.Standstill;
import io.chimera.coordinator.watch.Standstill.Cause;
import io.chimera.coordinator.watch.StandstillWatch;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests every cause of a standstill. */
final class StandstillTest extends ConductorRig {
    private static final Duration LASTS = StandstillWatch.LASTS_AFTER.plusSeconds(1);
    private static final Duration OPEN = StandstillWatch.OPEN_AFTER_MIN.plus(LASTS);

    @Test
    void saysNothingWhileCyclesBeginAndEnd() {
        members();
        for (int period = 1; period <= 8; period++) {
            journal(A, period);
            run(EVERY);
            commitAll();
        }

        assertThat(conductor.status().waiting()).isEmpty();
        assertThat(standstills()).isEmpty();
    }

    @Test
    void noProcessorWarnsOnceAndSaysWhenItIsOver() {
        announce("q1", Positions.of(A, 5));
        announce("q2", Positions.of(A, 5));
        run(EVERY);
        assertThat(waiting().cause()).isEqualTo(Cause.NO_PROCESSOR);
        assertThat(waiting().cycle()).isEqualTo(1);
        assertThat(waiting().text()).contains("processor").contains("Start");
        assertThat(conductor.standstill()).as("it has not lasted").isEmpty();
        assertThat(standstills()).isEmpty();

        run(EVERY.multipliedBy(5));
        assertThat(conductor.standstill()).contains(waiting());
        assertThat(standstills()).singleElement().satisfies(event -> assertThat(event.line())
                .contains("cause=no_processor")
                .contains("since="));

        announce(processor("p1", 21, "d", false));
        run(EVERY);
        assertThat(conductor.status().waiting()).isEmpty();
        assertThat(conductor.standstill()).isEmpty();
        assertThat(standstills()).hasSize(1);
        assertThat(events(Kind.STANDSTILL_OVER)).singleElement().satisfies(event -> assertThat(event.line())
                .contains("cause=no_processor")
                .contains("lasted_s="));
    }

    @Test
    void noProcessorForAnOpenCycle() {
        members();
        begin();
        kill("p1");
        kill("p2");
        run(LASTS);

        lasts(Cause.NO_PROCESSOR, 1);
    }

    @Test
    void noQueueNodeThatMayWork() {
        announce(processor("p1", 21, "d", false));
        announce(queueWith("q1", "other"));
        announce(queueWith("q2", "other"));
        run(EVERY.plus(LASTS));

        lasts(Cause.NO_QUEUE_NODE, 1);
    }

    @Test
    void noQueueNodeAfterAllHaveGoneWithoutAnOpenCycle() {
        cluster.join(); // the group has q1 and q2
        members();
        begin();
        commitAll();
        kill("q1");
        kill("q2");
        run(Duration.ofMillis(100));
        assertThat(waiting().cause()).isEqualTo(Cause.NO_QUEUE_NODE);
        assertThat(standstills()).as("it has not lasted").isEmpty();
        run(LASTS);

        assertThat(lasts(Cause.NO_QUEUE_NODE, 2).nodes()).containsExactly("q1", "q2");

        journal(A, 6);
        run(EVERY);
        assertThat(view().cycles()).containsKey(2L);
        assertThat(conductor.standstill()).isEmpty();
        assertThat(events(Kind.STANDSTILL_OVER)).hasSize(1);
    }

    @Test
    void noQueueNodeEndsWithItsReturnThoughNoCycleBegins() {
        members();
        journal(A, 5);
        run(EVERY);
        commitAll();
        kill("q1");
        kill("q2");
        run(LASTS);
        lasts(Cause.NO_QUEUE_NODE, 2);

        journal(A, 5);
        run(Duration.ofMillis(100));

        assertThat(view().cycles()).doesNotContainKey(2L);
        assertThat(conductor.standstill()).isEmpty();
    }

    @Test
    void noProcessorThoughNothingIsThereToDo() {
        members();
        kill("p1");
        kill("p2");
        run(LASTS);

        lasts(Cause.NO_PROCESSOR, 1);
    }

    @Test
    void clusterThatIsBeingSetUpWaitsForNothing() {
        run(LASTS);
        assertThat(conductor.status().waiting()).isEmpty();
        announce(processor("p1", 21, "d", false));
        run(LASTS);
        assertThat(conductor.status().waiting()).isEmpty();

        announce("q1", Positions.NONE);
        announce("q2", Positions.NONE);
        run(LASTS);
        assertThat(conductor.status().waiting()).isEmpty();
        assertThat(standstills()).isEmpty();
    }

    @Test
    void tooFewCopiesNamesTheQueueNodeThatIsAway() {
        cluster.join(); // the group has q1 and q2
        members();
        journal(A, 5);
        run(EVERY);
        commitAll();
        announce("q1", Positions.of(A, 9)); // q2 does not copy
        run(EVERY.plus(LASTS));

        lasts(Cause.TOO_FEW_COPIES, 2);

        announce("q2", Positions.of(A, 9));
        run(EVERY);
        assertThat(conductor.status().waiting()).isEmpty();
    }

    @Test
    void noJournalReachesDown() {
        members();
        begin();
        truncated("q1", Positions.of(A, 8), Positions.of(A, 9));
        truncated("q2", Positions.of(A, 8), Positions.of(A, 9));
        run(EVERY.plus(LASTS));

        lasts(Cause.JOURNAL_MISSING, 2);
    }

    @Test
    void partWhoseQueueNodeIsAwayNamesIt() {
        members();
        announce("q1", Positions.of(A, 5));
        announce("q2", Positions.of(A, 5));
        run(EVERY);
        assertThat(view().cycles()).hasSize(1);
        kill("q1");
        kill("q2");
        run(LASTS);

        Standstill standstill = lasts(Cause.PART_MISSING, 1);
        assertThat(standstill.nodes()).containsExactly("q1", "q2");
    }

    @Test
    void storeThatRefusesNamesTheStoreAndItsProcessors() {
        members();
        begin();
        announce(new ProcessorMember(
                "p2", 22, "a", "h", List.of(new ConfigurationDigest("d")), false, List.of("kairos"), 1));
        run(LASTS);

        Standstill standstill = lasts(Cause.STORE_REFUSES, 1);
        assertThat(standstill.nodes()).containsExactly("p2");
        assertThat(standstill.text()).contains("kairos");

        announce(processor("p2", 22, "d", false));
        run(Duration.ofMillis(100));
        assertThat(conductor.standstill()).isEmpty();
    }

    @Test
    void cycleThatDoesNotEndNamesTheProcessorsOfItsOpenShards() {
        members();
        begin();
        cluster.join().commit(new ShardCommit(1, 1, 22, new ShardCommit.Accounts(0, 0, 0, 0), 5, 1), 0);
        run(OPEN);

        Standstill standstill = lasts(Cause.CYCLE_OPEN, 1);
        assertThat(standstill.nodes()).doesNotContain("").hasSize(1);
    }

    @Test
    void fullWindowIsTheOldestOpenCycle() {
        members();
        for (int period = 1; period <= 4; period++) {
            journal(A, period);
            run(EVERY);
        }
        run(LASTS);

        Standstill standstill = lasts(Cause.CYCLE_OPEN, 1);
        assertThat(standstill.text()).contains("3 cycles are open");
        assertThat(standstill.nodes()).containsExactly("p1", "p2");
    }

    @Test
    void anotherCauseIsAnotherWarning() {
        members();
        begin();
        announce(new ProcessorMember(
                "p1", 21, "a", "h", List.of(new ConfigurationDigest("d")), false, List.of("kairos"), 1));
        run(LASTS);
        long since = waiting().sinceMs();
        kill("p1");
        kill("p2");
        run(LASTS);

        assertThat(standstills())
                .extracting(ClusterEvent::facts)
                .satisfiesExactly(first -> assertThat(first).contains("store_refuses"), second -> assertThat(second)
                        .contains("no_processor"));
        assertThat(waiting().sinceMs()).isEqualTo(since);
        assertThat(events(Kind.STANDSTILL_OVER)).isEmpty();
    }

    @Test
    void refusedWrites() {
        members();
        conductor = new Conductor(new RefusingStore(lead), clock, settings(2), counters, events::add);
        journal(A, 5);
        run(EVERY.plus(LASTS).plus(LASTS));

        lasts(Cause.WRITES_REFUSED, 1);
    }

    @Test
    void oneRefusedWriteWithoutFurtherWritesIsNone() {
        StandstillWatch watch = new StandstillWatch(clock, EVERY, session -> "q", session -> "p", events::add);
        members();
        watch.wrote(false, clock.nanoTime());
        for (int i = 0; i < 40; i++) {
            clock.advance(Duration.ofSeconds(1));
            assertThat(watch.look(view(), clock.nanoTime())).isEmpty();
        }
    }

    @Test
    void lostTree() {
        announce(processor("p1", 21, "d", false));
        truncated("q1", Positions.of(A, 50), Positions.of(A, 70));
        run(LASTS);

        Standstill standstill = lasts(Cause.TREE_LOST, 1);
        assertThat(standstill.text()).contains("chimera cluster recover");
    }

    @Test
    void clockThatNobodyConfirms() {
        members();
        begin();
        commitAll();
        announce(queueWith("q1", "d").clockedAt(clock.epochMs()));
        clock.stepWallClock(Duration.ofDays(1));
        conductor = new Conductor(lead, clock, settings(2), counters, events::add);
        announce(queueWith("q1", "d").at(Positions.of(A, 9)).clockedAt(clock.epochMs() - 86_400_000));
        announce("q2", Positions.of(A, 9));
        run(Duration.ofSeconds(1));

        assertThat(waiting().cause()).isEqualTo(Cause.CLOCK_UNKNOWN);
    }

    @Test
    void lostConnectionIsInTheStatusAndLoggedByTheConnectionItself() {
        members();
        lead.disconnect();
        run(LASTS);

        assertThat(waiting().cause()).isEqualTo(Cause.ZOOKEEPER_AWAY);
        assertThat(conductor.standstill()).isPresent();
        assertThat(standstills()).isEmpty();

        lead.reconnect();
        run(Duration.ofMillis(100));
        assertThat(conductor.status().waiting()).isEmpty();
        assertThat(conductor.standstill()).isEmpty();
    }

    @Test
    void jsonHasTheCodeOfTheCauseAndTheFactsInSnakeCase() {
        JsonNode json =
                new ObjectMapper().valueToTree(new Standstill(Cause.STORE_REFUSES, 7, 1_000, List.of("p1"), "text"));

        assertThat(json.path("cause").asText()).isEqualTo("store_refuses");
        assertThat(json.path("cycle").asLong()).isEqualTo(7);
        assertThat(json.path("since_ms").asLong()).isEqualTo(1_000);
        assertThat(json.path("nodes").path(0).asText()).isEqualTo("p1");
        assertThat(json.path("text").asText()).isEqualTo("text");
    }

    private Standstill lasts(Cause cause, long cycle) {
        assertThat(conductor.standstill()).contains(waiting());
        assertThat(waiting().cause()).isEqualTo(cause);
        assertThat(waiting().cycle()).isEqualTo(cycle);
        assertThat(waiting().text()).isNotBlank();
        assertThat(standstills()).singleElement().satisfies(event -> assertThat(event.line())
                .contains("cause=" + cause.code()));
        return waiting();
    }

    private void begin() {
        journal(A, 5);
        run(EVERY);
        assertThat(view().cycles()).hasSize(1);
    }

    private static QueueMember queueWith(String id, String digest) {
        long session = 10 + Long.parseLong(id.substring(1));
        return new QueueMember(
                id, session, "a", "h", session + 1000, digest, Positions.NONE, Positions.of(A, 5), false);
    }

    private List<ClusterEvent> standstills() {
        return events(Kind.STANDSTILL);
    }

    private List<ClusterEvent> events(Kind kind) {
        return events.stream().filter(event -> event.kind() == kind).toList();
    }
}
