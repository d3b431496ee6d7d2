package io.chimera.dataset.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.JobCounter;
import io.chimera.dataset.cluster.WorkerReport.LostResult;
import io.chimera.dataset.cluster.WorkerReport.SplitDone;
import io.chimera.dataset.cluster.WorkerReport.TaskFailure;
import io.chimera.dataset.job.JobException;
import io.chimera.dataset.job.JobPlan;
import io.chimera.dataset.plan.StrategyRules;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A leader with more bad splits than a job may skip, and with splits that were computed twice. */
final class JobLeaderTest {
    private static final List<WorkerSession> WORKERS =
            List.of(new WorkerSession(1, 101, "a", "h:1", 2), new WorkerSession(2, 102, "b", "h:2", 2));

    @TempDir
    Path folder;

    private final ClusterRig rig = new ClusterRig();
    private final LiveWorkers workers = new LiveWorkers(rig.clock);
    private WorkerFolder results;
    private JobLeader leader;

    @BeforeEach
    void open() throws Exception {
        rig.board.plan = Optional.of(ClusterRig.plan(2 * MergePlan.SKIPPED_MAX));
        workers.update(WORKERS);
        results = WorkerFolder.open(folder, () -> 101);
        leader = new JobLeader(
                rig.worker(WORKERS.get(0), results),
                ClusterRig.order(),
                rig.program(StrategyRules.STREAM),
                rig.ledger,
                new Counters<>(JobCounter.class));
    }

    @AfterEach
    void close() throws Exception {
        results.close();
        rig.close();
    }

    private void foundBad(WorkerSession by, int from, int to) {
        List<TaskFailure> failures = IntStream.range(from, to)
                .mapToObj(split -> new TaskFailure(TaskId.split(split), true, "damaged", "no end of line"))
                .toList();
        rig.ledger.add(List.of(new WorkerReport(
                new ReportId(by.session(), 1), 1, by.folder(), List.of(), List.of(), List.of(), failures)));
    }

    @Test
    void oneBadSplitTooManyEndsTheJobBeforeTheRestIsTried() throws BoardException {
        WORKERS.forEach(worker -> foundBad(worker, 7, 7 + MergePlan.SKIPPED_MAX));
        leader.step(workers);
        assertThat(rig.board.outcome).isEmpty();

        WORKERS.forEach(worker -> foundBad(worker, 6, 7));
        leader.step(workers);

        assertThat(rig.board.outcome).get().returns(JobOutcome.Kind.FAILED, JobOutcome::kind);
        assertThat(rig.board.outcome.orElseThrow().reason())
                .contains(MergePlan.SKIPPED_MAX + " splits", "split 6", "o6", "no end of line", "run the job again");
    }

    /** Two nodes that cannot reach each other would compute the same splits for ever. */
    @Test
    void aResultThatIsLostAgainAndAgainEndsTheAttempt() throws BoardException {
        for (int loss = 1; loss <= JobLeader.LOSSES_MAX; loss++) {
            leader.step(workers);
            assertThat(rig.board.outcome).isEmpty();
            LostResult lost = new LostResult(TaskId.split(3), new ResultPlace(102, new ReportId(2, loss), "digest"));
            rig.ledger.add(List.of(
                    new WorkerReport(
                            new ReportId(1, 2L * loss), 1, 101, List.of(), List.of(), List.of(lost), List.of()),
                    new WorkerReport(new ReportId(3, loss), 1, 103, List.of(), List.of(), List.of(lost), List.of())));
        }
        leader.step(workers);

        assertThat(rig.board.outcome).get().returns(JobOutcome.Kind.FAILED, JobOutcome::kind);
        assertThat(rig.board.outcome.orElseThrow().reason()).contains("split 3", "network", "run the job again");
        assertThat(rig.ledger.lostAgain(2, 1)).as("the next attempt").isEmpty();
    }

    /** A plan of an earlier build, for example: nobody could replace the record, and the job would wait for ever. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anUnreadablePlanEndsTheJob(boolean isMergePlan) throws BoardException {
        OneJobBoard unreadable = new OneJobBoard() {
            @Override
            public Optional<JobPlan> plan(JobId id) throws JobException {
                failIf(!isMergePlan);
                return super.plan(id);
            }

            @Override
            public Optional<MergePlan> mergePlan(JobId id) throws JobException {
                failIf(isMergePlan);
                return super.mergePlan(id);
            }

            private void failIf(boolean isUnreadable) throws JobException {
                if (isUnreadable) {
                    throw new JobException("the record is of another build; remove the job", null);
                }
            }
        };
        unreadable.plan = rig.board.plan;
        try (ClusterRig other = new ClusterRig(unreadable)) {
            JobLeader term = new JobLeader(
                    other.worker(WORKERS.get(0), results),
                    ClusterRig.order(),
                    other.program(StrategyRules.STREAM),
                    other.ledger,
                    new Counters<>(JobCounter.class));
            term.step(workers);
        }

        assertThat(unreadable.outcome).get().returns(JobOutcome.Kind.FAILED, JobOutcome::kind);
        assertThat(unreadable.outcome.orElseThrow().reason()).contains("another build", "remove the job");
    }

    /** One worker can read nothing: it gets no further splits before the other one has tried the splits in doubt. */
    @Test
    void whileTooManySplitsAreInDoubtNoFurtherOnesAreHandedOut() throws BoardException {
        foundBad(WORKERS.get(0), 0, MergePlan.SKIPPED_MAX + 1);

        leader.step(workers);

        assertThat(rig.board.outcome).isEmpty();
        assertThat(rig.board.lists.getOrDefault(1L, TaskList.EMPTY)).isEqualTo(TaskList.EMPTY);
        assertThat(rig.board.lists.get(2L).tasks()).isNotEmpty().allSatisfy(task -> assertThat(task.number())
                .isLessThanOrEqualTo(MergePlan.SKIPPED_MAX));
    }

    private void computed(WorkerSession by, int split, String digest) {
        rig.ledger.add(List.of(new WorkerReport(
                new ReportId(by.session(), 1),
                1,
                by.folder(),
                List.of(new SplitDone(split, digest, 100, 1, 0, WindowSpan.EMPTY)),
                List.of(),
                List.of(),
                List.of())));
    }

    @Test
    void aRepeatedSplitWithTheSameResultIsFine() throws BoardException {
        WORKERS.forEach(worker -> computed(worker, 3, "d"));

        leader.step(workers);

        assertThat(rig.board.outcome).isEmpty();
    }

    @Test
    void aRepeatedSplitWithAnotherResultEndsTheJob() throws BoardException {
        computed(WORKERS.get(0), 3, "d");
        leader.step(workers);
        computed(WORKERS.get(1), 3, "e");

        leader.step(workers);

        assertThat(rig.board.outcome).get().returns(JobOutcome.Kind.FAILED, JobOutcome::kind);
        assertThat(rig.board.outcome.orElseThrow().reason()).contains("split 3", "o3", " a ", " b,", "remove the job");
    }

    /** Takes no plan. */
    private static final class SmallBoard extends OneJobBoard {
        @Override
        public void recordPlan(JobId id, JobPlan made) throws JobException {
            throw new JobException("too many splits; use a larger split", null);
        }
    }

    @Test
    void aPlanThatIsTooLongEndsTheJob() throws Exception {
        SmallBoard board = new SmallBoard();
        try (ClusterRig small = new ClusterRig(board)) {
            small.data = Files.createDirectory(folder.resolve("data"));
            Files.writeString(small.data.resolve("a"), "time,value\n1,2\n");
            JobLeader planning = new JobLeader(
                    small.worker(WORKERS.get(0), results),
                    ClusterRig.order(),
                    small.program(StrategyRules.STREAM),
                    small.ledger,
                    new Counters<>(JobCounter.class));
            planning.step(workers);
            planning.step(workers);

            assertThat(board.outcome).get().satisfies(end -> {
                assertThat(end.kind()).isEqualTo(JobOutcome.Kind.FAILED);
                assertThat(end.reason()).contains("larger split");
            });
        }
    }
}
