package io.chimera.faults.sim.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.cluster.JobBoard;
import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.JobOrder;
import io.chimera.dataset.cluster.JobOutcome;
import io.chimera.dataset.cluster.JobWish;
import io.chimera.dataset.cluster.WorkerSession;
import io.chimera.dataset.job.OnBadSplit;
import io.chimera.dataset.plan.StrategyWish;
import io.chimera.faults.sim.world.Timetable;
import io.chimera.testkit.store.MemoryStore;
import io.chimera.testkit.store.MemoryStore.Outcome;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A worker that leaves during a job. */
final class HandOverTest {
    private static final JobId JOB = new JobId("job", 7);
    private static final String DEFINITION = "count,sum,p90";
    private static final long TIME_MAX_NS = 600_000_000_000L;

    private final ManualClock clock = new ManualClock();
    private final SplittableRandom random = new SplittableRandom(20261129);
    private final Timetable timetable = new Timetable(clock, random);
    private final JobWorld world =
            new JobWorld(clock, new JobWorld.Kind(OnBadSplit.FAIL, true, StrategyWish.STREAM, 9_000));
    private final SimDataSource source = SimDataSource.draw(random);
    private final SimDataSource counted = source.failing(this::count);
    private final MemoryStore store = new MemoryStore();
    private final MemoryJobBoard.Shared records = new MemoryJobBoard.Shared();
    private final JobBoard board = new MemoryJobBoard(records, MemoryJobBoard.Faults.NONE);
    private final Map<String, SimWorker> workers = new HashMap<>();
    private boolean isStoreAway = true;
    private boolean canTransfer = true;
    private int reads;

    HandOverTest() {
        store.outcomes(() -> isStoreAway ? Outcome.FAILED : Outcome.WRITTEN);
    }

    @AfterEach
    void close() {
        world.close();
    }

    /** Counts a read, which does not fail. */
    private boolean count() {
        reads++;
        return false;
    }

    private SimWorker start(String name) {
        SimWorker worker = new SimWorker(
                name,
                timetable,
                new SimWorker.Parts(
                        records,
                        MemoryJobBoard.Faults.NONE,
                        order -> world.program(name, order.definition(), source, counted, store),
                        new SimTransfer(
                                session -> workers.get(session.address()), () -> !canTransfer, session -> false),
                        clock));
        workers.put(name, worker);
        worker.start(world.folder(name));
        return worker;
    }

    private void until(Callable<Boolean> condition) throws Exception {
        while (!condition.call()) {
            assertThat(clock.nanoTime()).isLessThan(TIME_MAX_NS);
            clock.advanceNs(timetable.untilNextNs());
            timetable.run();
        }
    }

    /** Runs until one worker alone has computed all splits. */
    private SimWorker computed() throws Exception {
        board.submit(new JobOrder(JOB, DEFINITION, JobWish.RUN, 1));
        SimWorker worker = start("first");
        until(() -> board.mergePlan(JOB).isPresent());
        return worker;
    }

    private void assertDone(JobWorld.Given expected) throws Exception {
        isStoreAway = false;
        until(() -> board.outcome(JOB).isPresent());
        assertThat(board.outcome(JOB).orElseThrow().kind()).isEqualTo(JobOutcome.Kind.DONE);
        assertThat(JobWorld.texts(store)).isEqualTo(expected.stored());
    }

    @Test
    void itsResultsAreCopiedAndNotComputedAgain() throws Exception {
        JobWorld.Given expected = world.undisturbed(DEFINITION, source);
        SimWorker leaving = computed();
        int before = reads;
        boolean[] hasLeft = new boolean[1];

        start("second");
        until(() -> board.workers().size() == 2);
        leaving.leave(() -> hasLeft[0] = true);
        until(() -> hasLeft[0]);

        assertDone(expected);
        assertThat(before).isPositive();
        assertThat(reads).as("reads of the source").isEqualTo(before);
    }

    @Test
    void itStaysUntilAnotherWorkerHasTheResults() throws Exception {
        JobWorld.Given expected = world.undisturbed(DEFINITION, source);
        SimWorker leaving = computed();
        canTransfer = false;
        int before = reads;
        boolean[] hasLeft = new boolean[1];

        start("second");
        until(() -> board.workers().size() == 2);
        leaving.leave(() -> hasLeft[0] = true);
        until(() -> hasLeft[0]);

        assertThat(reads).as("computed instead").isGreaterThan(before);
        canTransfer = true;
        assertDone(expected);
    }

    @Test
    void theLastWorkerLeavesAtOnceAndBringsItsResultsBack() throws Exception {
        JobWorld.Given expected = world.undisturbed(DEFINITION, source);
        SimWorker leaving = computed();
        int before = reads;
        boolean[] hasLeft = new boolean[1];
        leaving.leave(() -> hasLeft[0] = true);
        until(() -> hasLeft[0]);
        until(() -> board.workers().isEmpty());

        leaving.start(world.folder("first"));

        assertDone(expected);
        assertThat(reads).isEqualTo(before);
    }

    @Test
    void aStoppedJobHoldsNobody() throws Exception {
        SimWorker leaving = computed();
        start("second");
        until(() -> board.workers().size() == 2);
        JobOrder order = board.orders().get(0);
        board.update(order, order.with(JobWish.STOP));
        int before = reads;
        boolean[] hasLeft = new boolean[1];

        leaving.leave(() -> hasLeft[0] = true);
        until(() -> hasLeft[0]);

        assertThat(reads).isEqualTo(before);
        assertThat(board.workers()).extracting(WorkerSession::node).containsExactly("second");
    }
}
