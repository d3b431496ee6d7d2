package io.chimera.node.demo;

import io.chimera.node.child.KairosReader;
import io.chimera.node.load.LoadPlan;
import io.chimera.node.load.LoadRun;
import io.chimera.node.watch.ClusterSnapshot;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Sent points, the cluster's accounts of these points, and the rows read back from the store.
 *
 * @param load result of the generated load
 * @param hostPoints acknowledged points of the machine's own metrics
 * @param end state of the cluster after the last commit, or at the timeout
 * @param read rows in KairosDB
 * @param rowsInPlugin number of these rows that a plugin's store has received too
 */
record DemoFigures(
        LoadRun.Result load, long hostPoints, ClusterSnapshot end, KairosReader.Read read, long rowsInPlugin) {
    private static final String COUNT = LoadPlan.METRIC + "." + LoadPlan.FIELD + ".count";
    private static final String SUM = LoadPlan.METRIC + "." + LoadPlan.FIELD + ".sum";

    /** Points acknowledged to their senders. */
    long acknowledged() {
        return load.points() - load.refused() + hostPoints;
    }

    /** Points accepted by queue nodes. A retry may have sent some points twice. */
    long pointsIn() {
        return end.pointsIn();
    }

    /**
     * Number of unexplained points: accepted without an account, acknowledged without being accepted, or in accounts
     * without being accepted.
     */
    long unaccounted() {
        long accounted =
                end.account("aggregated") + end.account("late") + end.account("rejected") + end.account("filtered");
        return Math.abs(pointsIn() - accounted) + Math.max(0, acknowledged() - pointsIn());
    }

    /**
     * Whether count and sum of the generated load match the stored rows; always true after retries, because batches may
     * have been sent twice.
     */
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
        figures.put("load_value_sum_read_back", (long) read.sum(SUM)); // whole numbers far below 2^53
        figures.put("load_retries", load.retries());
        figures.put("load_points_per_second", load.figures().get("points_per_second"));
        return figures;
    }
}
