package io.chimera.node.dataset.client;

import io.chimera.dataset.cluster.JobOrder;
import io.chimera.dataset.cluster.JobTotals;
import io.chimera.dataset.meter.WorkMeasures;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * State of a job of a cluster, as a command shows it.
 *
 * @param order the order
 * @param phase the phase
 * @param reason why the job failed; empty otherwise
 * @param bytes length of all splits in bytes; 0 before the plan
 * @param totals counts
 * @param measures work of all workers, repeated work included
 */
public record JobState(
        JobOrder order, Phase phase, String reason, long bytes, JobTotals totals, WorkMeasures measures) {
    /**
     * Phase of a job.
     *
     * <pre>
     * from                                  event                                to
     * PLANNING                              the plan is recorded                 COMPUTING
     * COMPUTING                             all splits have results              STORING
     * STORING                               results are lost                     COMPUTING
     * STORING                               the rows of all windows are stored   DONE
     * PLANNING, COMPUTING, STORING          the job cannot go on                 FAILED
     * PLANNING, COMPUTING, STORING          dataset stop                         STOPPED
     * FAILED, STOPPED                       dataset run                          the phase of its results
     * </pre>
     */
    public enum Phase {
        /** Objects are listed, and splits are searched. */
        PLANNING,
        /** Splits are read and aggregated. */
        COMPUTING,
        /** Windows are merged, and their rows are stored. */
        STORING,
        /** The operator has stopped the job. */
        STOPPED,
        /** All rows are stored. */
        DONE,
        /** The job cannot go on. */
        FAILED
    }

    /** Returns whether the job has ended. */
    public boolean hasEnded() {
        return phase == Phase.DONE || phase == Phase.FAILED;
    }

    /** Returns the state as figures for JSON. */
    public Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("job", order.id().name());
        figures.put("run", order.id().runHex());
        figures.put("state", phase.name().toLowerCase(Locale.ROOT));
        if (!reason.isEmpty()) {
            figures.put("reason", reason);
        }
        figures.put("attempt", order.attempt());
        figures.put("splits", totals.splits());
        figures.put("splits_computed", totals.splitsDone());
        figures.put("splits_skipped", totals.splitsSkipped());
        figures.put("bytes", bytes);
        figures.put("points", totals.points());
        figures.put("rejected", totals.rejected());
        figures.put("bytes_received", measures.received().bytes());
        figures.put("bytes_of_copies_read", measures.nearBytes());
        figures.put("bytes_copied", measures.copied().bytes());
        figures.put("ranges", totals.ranges());
        figures.put("ranges_stored", totals.rangesDone());
        figures.put("windows", totals.windows());
        figures.put("rows", totals.rows());
        figures.put("rows_left_out", totals.leftOut());
        return figures;
    }

    /** Returns the progress in a sentence. */
    public String line() {
        return switch (phase) {
            case PLANNING -> "Searching the splits.";
            case COMPUTING, STOPPED ->
                (phase == Phase.STOPPED ? "Stopped: " : "")
                        + "%d of %d splits, %d points."
                                .formatted(totals.splitsDone(), totals.splits(), totals.points());
            case STORING ->
                "%d of %d ranges of windows, %d rows.".formatted(totals.rangesDone(), totals.ranges(), totals.rows());
            case DONE -> "Done: " + totals.rows() + " rows.";
            case FAILED -> "Failed: " + reason;
        };
    }
}
