package io.chimera.node.dataset.board;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.coordinator.zookeeper.SharedFolder;
import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.JobOrder;
import io.chimera.dataset.cluster.JobOutcome;
import io.chimera.dataset.cluster.JobTotals;
import io.chimera.dataset.cluster.JobWish;
import io.chimera.dataset.cluster.MergePlan;
import io.chimera.dataset.cluster.ReportId;
import io.chimera.dataset.cluster.ResultPlace;
import io.chimera.dataset.cluster.SkippedSpan;
import io.chimera.dataset.cluster.SplitTotals;
import io.chimera.dataset.cluster.TaskId;
import io.chimera.dataset.cluster.TaskList;
import io.chimera.dataset.cluster.WindowSpan;
import io.chimera.dataset.cluster.WorkerReport;
import io.chimera.dataset.cluster.WorkerSession;
import io.chimera.dataset.meter.WorkMeasures;
import io.chimera.dataset.plan.Strategy;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Tests that any content of a record decodes to a valid object or a {@link MalformedRecordException}. */
final class BoardCodecFuzz {
    private static final ReportId ID = new ReportId(-5, 3);
    private static final JobOrder ORDER = new JobOrder(new JobId("j", -1), "text \" é\n", JobWish.STOP, 2);
    private static final WorkerSession WORKER = new WorkerSession(-1, 7, "node", "h:1", 3);
    private static final MergePlan MERGE = new MergePlan(
            List.of(new WindowSpan(-10, 20), new WindowSpan(20, 30)),
            List.of(new SkippedSpan(3, 5, "damaged")),
            new SplitTotals(6, 7, 8, 9));
    private static final TaskList TASKS = new TaskList(List.of(TaskId.split(4), TaskId.range(0)), Strategy.OVERLAP);
    private static final JobOutcome OUTCOME =
            new JobOutcome(2, JobOutcome.Kind.FAILED, "reason", new JobTotals(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    private static final WorkerReport REPORT = new WorkerReport(
            ID,
            2,
            7,
            List.of(new WorkerReport.SplitDone(1, "ab", 9, 2, 3, new WindowSpan(1, 2))),
            List.of(new WorkerReport.RangeDone(1, "", 2, 3, 4)),
            List.of(new WorkerReport.LostResult(TaskId.split(1), new ResultPlace(9, ID, "cd"))),
            List.of(new WorkerReport.TaskFailure(TaskId.range(2), true, "checksum", "why")),
            new WorkMeasures(
                    new WorkMeasures.Computed(1, 2, 3, 4, 5),
                    new WorkMeasures.Moved(6, 7),
                    new WorkMeasures.Moved(8, 9),
                    10));

    @FuzzTest
    void decodesAnyBytes(byte[] bytes) {
        decodeAsEach(bytes);
    }

    @Test
    void decodesWhatItEncodes() throws MalformedRecordException {
        assertThat(BoardCodec.order("j", BoardCodec.order(ORDER))).isEqualTo(ORDER);
        assertThat(BoardCodec.worker(BoardCodec.worker(WORKER))).isEqualTo(WORKER);
        assertThat(BoardCodec.mergePlan(BoardCodec.mergePlan(MERGE))).isEqualTo(MERGE);
        assertThat(BoardCodec.tasks(BoardCodec.tasks(TASKS))).isEqualTo(TASKS);
        assertThat(BoardCodec.outcome(BoardCodec.outcome(OUTCOME))).isEqualTo(OUTCOME);
        assertThat(BoardCodec.report(ID, BoardCodec.report(REPORT))).isEqualTo(REPORT);
        assertThat(BoardCodec.leader(BoardCodec.leader(-3))).isEqualTo(-3);
    }

    @Test
    void theLongestReportFitsIntoARecord() {
        int entries = WorkerReport.ENTRIES_MAX / 4;
        String digest = "f".repeat(64);
        String text = "\u0001".repeat(WorkerReport.TaskFailure.REASON_MAX);
        long most = Long.MAX_VALUE;
        WorkerReport longest = new WorkerReport(
                ID,
                Integer.MAX_VALUE,
                -1,
                Collections.nCopies(
                        entries,
                        new WorkerReport.SplitDone(
                                Integer.MAX_VALUE, digest, most, most, most, new WindowSpan(most, most))),
                Collections.nCopies(
                        entries, new WorkerReport.RangeDone(Integer.MAX_VALUE, digest, Integer.MAX_VALUE, most, most)),
                Collections.nCopies(
                        entries,
                        new WorkerReport.LostResult(
                                TaskId.split(Integer.MAX_VALUE), new ResultPlace(-1, new ReportId(-1, most), digest))),
                Collections.nCopies(
                        WorkerReport.FAILURES_MAX,
                        new WorkerReport.TaskFailure(TaskId.split(Integer.MAX_VALUE), true, text, text)));

        assertThat(BoardCodec.report(longest)).hasSizeLessThan(SharedFolder.RECORD_MAX);
    }

    @Test
    void theLongestMergePlanFitsIntoARecord() {
        SkippedSpan bad = new SkippedSpan(10_000_000, 10_000_001, "f".repeat(SkippedSpan.FAULT_MAX));
        MergePlan longest = new MergePlan(
                LongStream.range(0, MergePlan.RANGES_MAX)
                        .mapToObj(i -> new WindowSpan(Long.MIN_VALUE + i, Long.MIN_VALUE + i + 1))
                        .toList(),
                Collections.nCopies(MergePlan.SKIPPED_MAX, bad),
                new SplitTotals(Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE));

        assertThat(BoardCodec.mergePlan(longest)).hasSizeLessThan(SharedFolder.RECORD_MAX);
    }

    @Test
    void ignoresUnknownFields() throws MalformedRecordException {
        byte[] more = new String(BoardCodec.worker(WORKER), UTF_8)
                .replaceFirst("\\{", "{\"new\":[1],")
                .getBytes(UTF_8);

        assertThat(BoardCodec.worker(more)).isEqualTo(WORKER);
    }

    @Test
    void decodesChangedBytesOfRealRecords() {
        Random random = new Random(20261129);
        List<byte[]> good = List.of(
                BoardCodec.order(ORDER),
                BoardCodec.worker(WORKER),
                BoardCodec.mergePlan(MERGE),
                BoardCodec.tasks(TASKS),
                BoardCodec.outcome(OUTCOME),
                BoardCodec.report(REPORT),
                BoardCodec.leader(3),
                BoardCodec.place(new BoardCodec.PlanPlace("ab", 2, 100)));
        int read = 0;
        for (int i = 0; i < 5_000; i++) {
            byte[] bytes = good.get(i % good.size()).clone();
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) (32 + random.nextInt(96));
            }
            read += decodeAsEach(bytes);
        }
        assertThat(read).as("of 5,000 changed ones some are still sound").isBetween(250, 4_750);
    }

    private static int decodeAsEach(byte[] bytes) {
        return decode(() -> BoardCodec.order("j", bytes))
                + decode(() -> BoardCodec.worker(bytes))
                + decode(() -> BoardCodec.mergePlan(bytes))
                + decode(() -> BoardCodec.tasks(bytes))
                + decode(() -> BoardCodec.outcome(bytes))
                + decode(() -> BoardCodec.report(ID, bytes))
                + decode(() -> BoardCodec.leader(bytes))
                + decode(() -> BoardCodec.place(bytes));
    }

    private static int decode(Decoder decoder) {
        try {
            assertThat(decoder.decode()).isNotNull();
            return 1;
        } catch (MalformedRecordException e) {
            assertThat(e).hasMessageStartingWith("it");
            return 0;
        }
    }

    private interface Decoder {
        Object decode() throws MalformedRecordException;
    }
}
