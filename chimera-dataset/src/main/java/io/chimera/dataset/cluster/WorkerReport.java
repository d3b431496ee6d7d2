package io.chimera.dataset.cluster;

import io.chimera.dataset.meter.WorkMeasures;
import java.util.List;

/**
 * Work of a worker since its last report. A report is written once and never changes.
 *
 * @param id identity
 * @param attempt attempt of the order for which the reported work began
 * @param folder folder of the worker's results
 * @param splits computed splits
 * @param ranges stored ranges
 * @param lost results that the worker could not read
 * @param failures work that failed
 * @param measures work of this worker on the job since its start
 */
public record WorkerReport(
        ReportId id,
        int attempt,
        long folder,
        List<SplitDone> splits,
        List<RangeDone> ranges,
        List<LostResult> lost,
        List<TaskFailure> failures,
        WorkMeasures measures) {
    /** Maximum number of entries of a report. */
    public static final int ENTRIES_MAX = 500;

    /** Maximum number of failures of a report: 30 reasons x 2,000 characters x 6 bytes = 360,000 bytes. */
    public static final int FAILURES_MAX = 30;

    /** Copies the lists. */
    public WorkerReport {
        splits = List.copyOf(splits);
        ranges = List.copyOf(ranges);
        lost = List.copyOf(lost);
        failures = List.copyOf(failures);
    }

    /** Creates a report without measurements. */
    public WorkerReport(
            ReportId id,
            int attempt,
            long folder,
            List<SplitDone> splits,
            List<RangeDone> ranges,
            List<LostResult> lost,
            List<TaskFailure> failures) {
        this(id, attempt, folder, splits, ranges, lost, failures, WorkMeasures.NONE);
    }

    /**
     * A computed split.
     *
     * @param split number of the split
     * @param digest digest of the result file, hexadecimal
     * @param bytes length of the split in bytes, as stored at the source
     * @param points points accepted
     * @param rejected events rejected
     * @param windows span of the windows with pieces
     */
    public record SplitDone(int split, String digest, long bytes, long points, long rejected, WindowSpan windows) {}

    /**
     * A range of windows whose rows are stored.
     *
     * @param range number of the range
     * @param digest digest of the file with the rows of pipelines without stores, hexadecimal; empty without such rows
     * @param windows number of windows with rows
     * @param rows number of rows
     * @param leftOut rows without a finite value, or whose plugin failed
     */
    public record RangeDone(int range, String digest, int windows, long rows, long leftOut) {}

    /**
     * A result that could not be read.
     *
     * @param task work whose result it was
     * @param place place at which it should have been
     */
    public record LostResult(TaskId task, ResultPlace place) {}

    /**
     * Work that failed.
     *
     * @param task the work
     * @param isFinal whether another attempt cannot succeed
     * @param fault short name of the fault of a split that the job may skip; empty for other failures
     * @param reason object, split or window, defect and remedy
     */
    public record TaskFailure(TaskId task, boolean isFinal, String fault, String reason) {
        /** Maximum length of a reason in characters; longer ones are cut. */
        public static final int REASON_MAX = 2_000;

        /** Cuts the texts. */
        public TaskFailure {
            fault = fault.length() > SkippedSpan.FAULT_MAX ? fault.substring(0, SkippedSpan.FAULT_MAX) : fault;
            reason = reason.length() > REASON_MAX ? reason.substring(0, REASON_MAX) : reason;
        }
    }
}
