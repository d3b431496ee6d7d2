package io.chimera.apps.node.demo;

import io.chimera.apps.node.child.KairosReader;
import io.chimera.apps.node.load.LoadPlan;
import io.chimera.apps.node.load.LoadRun;
import io.chimera.apps.node.watch.ClusterSnapshot;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What went into the cluster, what its accounts say became of it, and what was read back from the store.
 *
 * @param load what the generated load sent
 * @param hostPoints points of the machine's own metrics that were acknowledged
 * @param end the cluster when all was committed, or when waiting for it ended
 * @param read what KairosDB holds
 * @param rowsInPlugin rows of these that the store of a plugin took as well
 */
record DemoFigures(
        LoadRun.Result load, long hostPoints, ClusterSnapshot end, KairosReader.Read read, long rowsInPlugin) {
    private static final String COUNT = LoadPlan.METRIC + "." + LoadPlan.FIELD + ".count";
    private static final String SUM = LoadPlan.METRIC + "." + LoadPlan.FIELD + ".sum";

    /** Points that were acknowledged to their senders. */
    long acknowledged() {
        return load.points() - load.refused() + hostPoints;
    }

    /** Points that queue nodes accepted; a sender that had to try again may have sent some twice. */
    long pointsIn() {
        return end.pointsIn();
    }

    /**
     * Points that are nowhere: accepted but in no account, or acknowledged but not accepted, or in accounts without
     * having been accepted.
     */
    long unaccounted() {
        long accounted =
                end.account("aggregated") + end.account("late") + end.account("rejected") + end.account("filtered");
        return Math.abs(pointsIn() - accounted) + Math.max(0, acknowledged() - pointsIn());
    }

    /** Whether count and sum of the generated load came back as they were sent; unknown after batches sent twice. */
    boolean valuesAgree() {
        return load.retries() > 0
                || (read.sum(COUNT) == load.points() - load.refused() && read.sum(SUM) == load.valueSum());
    }

    /** Whether nothing is missing. */
    boolean isGood() {
        return unaccounted() == 0
                && end.account("rows") > 0
                && read.rows() + rowsInPlugin == end.account("rows")
                && (load.refused() > 0 || valuesAgree());
    }

    Map<String, Object> toMap() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("points_sent", acknowledged());
        figures.put("points_in", pointsIn());
        figures.put("points_refused", end.pointsRefused());
        figures.put("points_aggregated", end.account("aggregated"));
        figures.put("points_rejected", end.account("rejected"));
        figures.put("points_late", end.account("late"));
        figures.put("points_filtered", end.account("filtered"));
        figures.put("rows_stored", end.account("rows"));
        figures.put("rows_read_back", read.rows());
        figures.put("unaccounted", unaccounted());
        figures.put("cycles_committed", end.cycle());
        figures.put("commit_latency_ms", end.commitLatencyMs());
        figures.put("load_points", load.points() - load.refused());
        figures.put("load_points_read_back", (long) read.sum(COUNT));
        figures.put("load_value_sum", load.valueSum());
        figures.put("load_value_sum_read_back", (long) read.sum(SUM)); // whole numbers, far below 2^53
        figures.put("load_retries", load.retries());
        figures.put("load_points_per_second", load.figures().get("points_per_second"));
        return figures;
    }
}
