package io.chimera.dataset.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.dataset.cluster.WorkerReport.LostResult;
import io.chimera.dataset.cluster.WorkerReport.RangeDone;
import io.chimera.dataset.cluster.WorkerReport.SplitDone;
import io.chimera.dataset.cluster.WorkerReport.TaskFailure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What reports say about results. */
final class JobLedgerTest {
    private final JobLedger ledger = new JobLedger();

    private static WorkerReport splits(long session, long number, long folder, SplitDone... done) {
        return new WorkerReport(
                new ReportId(session, number), 1, folder, List.of(done), List.of(), List.of(), List.of());
    }

    private static SplitDone done(int split) {
        return new SplitDone(split, "d" + split, 500, 10, 1, new WindowSpan(split * 60L, split * 60L + 60));
    }

    @Test
    void aResultIsFoundWhereItsFolderIs() {
        ledger.add(List.of(splits(1, 1, 101, done(0)), splits(2, 1, 102, done(0))));

        assertThat(ledger.split(0, folder -> folder == 102))
                .get()
                .satisfies(held -> assertThat(held.place().folder()).isEqualTo(102));
        assertThat(ledger.split(0, folder -> false)).isEmpty();
        assertThat(ledger.split(1, folder -> true)).isEmpty();
    }

    @Test
    void aLostResultCountsAgainOnceItIsReportedAgain() {
        ledger.add(List.of(splits(1, 1, 101, done(0))));
        ResultPlace place = ledger.split(0, folder -> true).orElseThrow().place();
        ledger.add(List.of(new WorkerReport(
                new ReportId(2, 1),
                1,
                102,
                List.of(),
                List.of(),
                List.of(new LostResult(TaskId.split(0), place)),
                List.of())));
        assertThat(ledger.split(0, folder -> true)).isEmpty();
        assertThat(ledger.losses(TaskId.split(0), 101)).isOne();

        ledger.add(List.of(splits(1, 2, 101, done(0))));

        assertThat(ledger.split(0, folder -> true)).isPresent();
    }

    @Test
    void resultsOfASplitThatDifferAreFound() {
        SplitDone other = new SplitDone(1, "other", 500, 10, 1, WindowSpan.EMPTY);
        ledger.add(List.of(splits(1, 1, 101, done(0), done(1)), splits(2, 1, 102, done(0))));
        assertThat(ledger.differing(split -> false)).isEmpty();

        ledger.add(List.of(splits(2, 2, 102, other)));

        assertThat(ledger.differing(split -> false))
                .extracting(held -> held.place().folder())
                .containsExactly(101L, 102L);
        assertThat(ledger.differing(split -> split == 1)).as("left out").isEmpty();
        assertThat(ledger.digest(1)).contains("d1");
        assertThat(ledger.digest(2)).isEmpty();
    }

    @Test
    void aRangeInStoresStaysWhenItsWorkerGoes() {
        ledger.add(List.of(new WorkerReport(
                new ReportId(1, 1),
                1,
                101,
                List.of(),
                List.of(new RangeDone(0, "", 2, 5, 0), new RangeDone(1, "digest", 2, 5, 0)),
                List.of(),
                List.of())));

        assertThat(ledger.range(0, folder -> false)).isPresent();
        assertThat(ledger.range(1, folder -> false)).isEmpty();
        assertThat(ledger.range(1, folder -> true)).isPresent();
    }

    @Test
    void eachSplitCountsOnce() {
        ledger.add(List.of(splits(1, 1, 101, done(0), done(1)), splits(2, 1, 102, done(1))));

        assertThat(ledger.totals(3, MergePlan.NONE)).isEqualTo(new JobTotals(3, 2, 0, 0, 0, 1_000, 20, 2, 0, 0, 0));
        assertThat(ledger.parts(split -> false))
                .containsExactly(Map.entry(101L, new JobLedger.WorkerPart(2, 1_000, 20)));
        assertThat(ledger.windows(split -> false)).isEqualTo(new WindowSpan(0, 120));
        assertThat(ledger.known()).containsEntry(1L, 1L).containsEntry(2L, 1L);
    }

    @Test
    void failuresCountForTheirAttemptAlone() {
        TaskFailure failure = new TaskFailure(TaskId.split(4), false, "", "away");
        ledger.add(List.of(
                new WorkerReport(new ReportId(1, 1), 1, 101, List.of(), List.of(), List.of(), List.of(failure))));

        assertThat(ledger.failures(TaskId.split(4), 1)).containsExactly(failure);
        assertThat(ledger.failures(TaskId.split(4), 1, 101)).isOne();
        assertThat(ledger.failedAt(101)).isOne();
        assertThat(ledger.foundBad(4, 1)).isEmpty();
        assertThat(ledger.failed(1)).containsExactly(TaskId.split(4));
        assertThat(ledger.failed(2)).isEmpty();
        assertThat(ledger.failures(TaskId.split(4), 2)).isEmpty();
    }

    @Test
    void skippedSplitsCountApart() {
        ledger.add(List.of(splits(1, 1, 101, done(0), done(1), done(2))));
        MergePlan merge =
                new MergePlan(List.of(), List.of(new SkippedSpan(1, 3, "damaged")), new SplitTotals(1, 500, 10, 1));

        assertThat(ledger.totals(3, merge)).isEqualTo(new JobTotals(3, 1, 2, 0, 0, 500, 10, 1, 0, 0, 0));
        assertThat(ledger.parts(merge.leavesOut()))
                .containsExactly(Map.entry(101L, new JobLedger.WorkerPart(1, 500, 10)));
        assertThat(ledger.windows(merge.leavesOut())).isEqualTo(new WindowSpan(0, 60));
    }

    /** A worker that leaves takes its reports with it, and a later leader never sees them. */
    @Test
    void countsSplitsByThePlanOfTheMerges() {
        SplitTotals computed = new SplitTotals(3, 1_500, 30, 3);
        MergePlan merge = new MergePlan(List.of(new WindowSpan(0, 60)), List.of(), computed);
        ledger.add(List.of(splits(1, 1, 101, done(0), done(1))));
        assertThat(ledger.totals(3, new MergePlan(List.of(), List.of(), computed))
                        .points())
                .as("without a row")
                .isEqualTo(30);

        assertThat(ledger.totals(3, merge)).isEqualTo(new JobTotals(3, 3, 0, 1, 0, 1_500, 30, 3, 0, 0, 0));
        assertThat(ledger.computed(split -> split == 1)).isEqualTo(new SplitTotals(1, 500, 10, 1));
    }

    @Test
    void aFolderIsNeededForResultsThatNoOtherFolderHas() {
        ledger.add(List.of(splits(1, 1, 101, done(0), done(1)), splits(2, 1, 102, done(1))));

        assertThat(ledger.isNeeded(101, folder -> folder == 102, split -> false))
                .isTrue();
        assertThat(ledger.isNeeded(101, folder -> folder == 102, split -> split == 0))
                .as("for a split with rows")
                .isFalse();
        assertThat(ledger.isNeeded(102, folder -> folder == 101, split -> false))
                .isFalse();
        ledger.add(List.of(splits(2, 2, 102, done(0))));

        assertThat(ledger.isNeeded(101, folder -> folder == 102, split -> false))
                .isFalse();
        ledger.add(List.of(new WorkerReport(
                new ReportId(1, 2),
                1,
                101,
                List.of(),
                List.of(new RangeDone(0, "", 2, 5, 0), new RangeDone(1, "digest", 2, 5, 0)),
                List.of(),
                List.of())));
        assertThat(ledger.isNeeded(101, folder -> folder == 102, split -> false))
                .as("for rows without a store")
                .isTrue();
    }

    @Test
    void ofABadSplitTheFirstReasonIsKept() {
        for (long folder = 101; folder <= 103; folder++) {
            foundBad(folder, 1, "damaged", "at " + folder);
        }

        assertThat(ledger.foundBad(4, 1)).containsExactlyInAnyOrder(101L, 102L, 103L);
        assertThat(ledger.foundBad(4, 2)).isEmpty();
        assertThat(ledger.badSplit(4)).get().returns("at 101", TaskFailure::reason);
        assertThat(ledger.failures(TaskId.split(4), 1))
                .extracting(TaskFailure::reason)
                .containsExactly("at 101", "", "");
        assertThat(ledger.badSplit(5)).isEmpty();
    }

    @Test
    void theReasonOfABadSplitIsTheFaultThatMostWorkersMet() {
        foundBad(101, 1, "checksum", "by 101");
        foundBad(102, 1, "not_found", "by 102");
        foundBad(103, 1, "not_found", "by 103");
        foundBad(101, 2, "checksum", "by 101 again");

        assertThat(ledger.badSplit(4))
                .get()
                .returns("not_found", TaskFailure::fault)
                .returns("by 102", TaskFailure::reason);
        assertThat(ledger.badSplit(4, "checksum")).get().returns("by 101", TaskFailure::reason);
        assertThat(ledger.badSplit(4, "damaged")).isEmpty();
    }

    private void foundBad(long folder, int number, String fault, String reason) {
        TaskFailure bad = new TaskFailure(TaskId.split(4), true, fault, reason);
        ledger.add(List.of(new WorkerReport(
                new ReportId(folder, number), 1, folder, List.of(), List.of(), List.of(), List.of(bad))));
    }
}
