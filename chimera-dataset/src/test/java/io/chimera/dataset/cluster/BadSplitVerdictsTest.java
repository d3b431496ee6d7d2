package io.chimera.dataset.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.cluster.WorkerReport.TaskFailure;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.job.JobPlan;
import io.chimera.dataset.job.SkippedSplit;
import io.chimera.dataset.job.Split;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.ObjectVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which splits are bad, and which splits they take along. */
final class BadSplitVerdictsTest {
    private static final int ATTEMPT = 1;

    private final ManualClock clock = new ManualClock();
    private final LiveWorkers workers = new LiveWorkers(clock);
    private final JobLedger ledger = new JobLedger();
    private final BadSplitVerdicts verdicts = new BadSplitVerdicts(ledger, ATTEMPT);

    private void live(int... numbers) {
        workers.update(IntStream.of(numbers)
                .mapToObj(number -> new WorkerSession(number, number, "n" + number, "h:1", 1))
                .toList());
    }

    private void foundBad(int split, int attempt, int... numbers) {
        for (int number : numbers) {
            TaskFailure bad = new TaskFailure(TaskId.split(split), true, "damaged", "cut off");
            ledger.add(List.of(new WorkerReport(
                    new ReportId(number, 1), attempt, number, List.of(), List.of(), List.of(), List.of(bad))));
        }
    }

    @Test
    void aSplitIsBadOnceEachWorkerFoundItSo() {
        live(1, 2, 3);
        foundBad(0, ATTEMPT, 1, 2);
        assertThat(verdicts.isBad(0, workers)).isFalse();

        foundBad(0, ATTEMPT, 3);

        assertThat(verdicts.isBad(0, workers)).isTrue();
        assertThat(verdicts.isBad(1, workers)).isFalse();
        assertThat(verdicts.reason(0)).isEqualTo("cut off");
    }

    @Test
    void aWorkerThatMayComeBackHasASay() {
        live(1, 2);
        foundBad(0, ATTEMPT, 1);
        live(1);
        assertThat(verdicts.isBad(0, workers)).isFalse();

        clock.advance(LiveWorkers.GRACE.plus(Duration.ofSeconds(1)));
        live(1);

        assertThat(verdicts.isBad(0, workers)).isTrue();
    }

    @Test
    void aWorkerThatLeavesHasNoSay() {
        WorkerSession staying = new WorkerSession(1, 1, "n1", "h:1", 1);
        WorkerSession leaving = new WorkerSession(2, 2, "n2", "h:1", 1).leaving();
        live(1, 2);
        foundBad(0, ATTEMPT, 1);
        assertThat(verdicts.isBad(0, workers)).isFalse();

        workers.update(List.of(staying, leaving));

        assertThat(verdicts.isBad(0, workers)).isTrue();
        assertThat(workers.staying()).containsExactly(staying);
        assertThat(workers.isExpected(2)).as("its results are needed elsewhere").isFalse();
        assertThat(workers.isThere(2)).as("its results can be read").isTrue();
        assertThat(workers.hasLeaving()).isTrue();
    }

    @Test
    void fewWorkersDecideInALargeCluster() {
        live(IntStream.rangeClosed(1, 50).toArray());
        foundBad(0, ATTEMPT, 1, 2, 3, 4);
        assertThat(verdicts.isBad(0, workers)).isFalse();

        foundBad(0, ATTEMPT, 5);

        assertThat(verdicts.isBad(0, workers)).isTrue();
    }

    @Test
    void failuresOfEarlierAttemptsDoNotCount() {
        live(1);
        foundBad(0, ATTEMPT + 1, 1);

        assertThat(verdicts.isBad(0, workers)).isFalse();
    }

    @Test
    void aBadSplitTakesTheRestOfItsObjectAlongIfBordersDependOnIt() {
        JobPlan plan = plan("a", "a", "a", "b", "b");
        List<SkippedSplit> skipped = List.of(
                skipped(plan, 1, "damaged", true),
                skipped(plan, 2, SkippedSplit.AFTER_SKIPPED, true),
                skipped(plan, 3, "checksum", false));

        List<SkippedSpan> spans = BadSplitVerdicts.spans(plan, skipped);

        assertThat(spans).containsExactly(new SkippedSpan(1, 3, "damaged"), new SkippedSpan(3, 4, "checksum"));
        MergePlan merge = new MergePlan(List.of(), spans, SplitTotals.NONE);
        assertThat(merge.splitsSkipped()).isEqualTo(3);
        assertThat(IntStream.range(0, 5).filter(merge.leavesOut())).containsExactly(1, 2, 3);
    }

    @Test
    void bothOfTwoBadSplitsKeepTheirReason() {
        JobPlan plan = plan("a", "a", "a");
        List<SkippedSplit> skipped = List.of(
                skipped(plan, 0, "damaged", true),
                skipped(plan, 1, "checksum", true),
                skipped(plan, 2, SkippedSplit.AFTER_SKIPPED, true));

        List<SkippedSpan> spans = BadSplitVerdicts.spans(plan, skipped);

        assertThat(spans).containsExactly(new SkippedSpan(0, 3, "damaged"), new SkippedSpan(1, 3, "checksum"));
        assertThat(new MergePlan(List.of(), spans, SplitTotals.NONE).splitsSkipped())
                .isEqualTo(3);
    }

    @Test
    void theNumberOfBadSplitsIsLimited() {
        List<SkippedSpan> most = Collections.nCopies(MergePlan.SKIPPED_MAX, new SkippedSpan(0, 1, "damaged"));
        List<SkippedSpan> tooMany = new ArrayList<>(most);
        tooMany.add(new SkippedSpan(1, 2, "damaged"));

        assertThat(new MergePlan(List.of(), most, SplitTotals.NONE).skipped()).hasSize(MergePlan.SKIPPED_MAX);
        assertThatThrownBy(() -> new MergePlan(List.of(), tooMany, SplitTotals.NONE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        new MergePlan(List.of(), List.of(new SkippedSpan(0, Integer.MAX_VALUE, "")), SplitTotals.NONE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SkippedSpan(3, 3, "")).isInstanceOf(IllegalArgumentException.class);
    }

    private static JobPlan plan(String... objects) {
        List<Split> splits = new ArrayList<>();
        for (String object : objects) {
            splits.add(new Split(
                    splits.size(),
                    new DataObject(object, 100, new ObjectVersion("1", Checksum.NONE)),
                    new ByteRange(0, 100)));
        }
        return new JobPlan("definition", 1, splits);
    }

    private static SkippedSplit skipped(JobPlan plan, int number, String reason, boolean takesFollowing) {
        return SkippedSplit.of(plan.splits().get(number), reason, "message", takesFollowing);
    }
}
