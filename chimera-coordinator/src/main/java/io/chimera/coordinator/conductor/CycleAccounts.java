package io.chimera.coordinator.conductor;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.LowMark.Totals;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.ShardCommit;
import java.util.Optional;

/**
 * Compares the points between the cuts of a cycle with the points in its commits. A cycle with unaccounted points stops
 * the low-water mark, so that the journals keep its points until an operator decides. All results follow from the view,
 * so every coordinator computes the same results.
 */
public final class CycleAccounts {
    private CycleAccounts() {}

    /**
     * Returns the accounts of a committed cycle.
     *
     * @return empty when the cycle is not committed, or the previous cut is unknown
     */
    public static Optional<Totals> of(ClusterView view, OpenCycle open) {
        return open.isCommitted()
                ? view.cutBefore(open.cycle().number())
                        .map(before -> Totals.ZERO.plus(open, open.cycle().cut().recordsSince(before)))
                : Optional.empty();
    }

    /** Returns the first cycle with unaccounted points, provided that all cycles before it are committed. */
    static Optional<OpenCycle> holding(ClusterView view) {
        for (OpenCycle open : view.cycles().values()) {
            Optional<Totals> accounts = of(view, open);
            if (accounts.isEmpty()) {
                return Optional.empty();
            }
            if (accounts.get().unaccounted() != 0) {
                return Optional.of(open);
            }
        }
        return Optional.empty();
    }

    /** Returns the number of cycles with unaccounted points. */
    public static int unaccounted(ClusterView view) {
        return (int) view.cycles().values().stream()
                .flatMap(open -> of(view, open).stream())
                .filter(accounts -> accounts.unaccounted() != 0)
                .count();
    }

    /**
     * Returns the number of committed cycles above the low-water mark that wait for a decision about unaccounted
     * points.
     */
    static int held(ClusterView view) {
        if (holding(view).isEmpty()) {
            return 0;
        }
        return (int) view.cycles().values().stream()
                .takeWhile(OpenCycle::isCommitted)
                .count();
    }

    /** Returns why the low-water mark does not advance, with the remedy; empty when all points are accounted for. */
    public static Optional<String> problem(ClusterView view) {
        return holding(view).map(open -> {
            long number = open.cycle().number();
            Totals accounts = of(view, open).orElseThrow();
            return "Cycle " + number + " has unaccounted points: its cut names " + accounts.points()
                    + " points and its commits account for " + (accounts.points() - accounts.unaccounted())
                    + ". The low-water mark stays below this cycle and the journals delete nothing. Inspect the cycle"
                    + " with chimera cluster account " + number + ", then decide with --replay or --accept.";
        });
    }

    /** Returns the accounts of an open cycle as text; empty when the cycle is not open. */
    public static Optional<String> text(ClusterView view, long cycle) {
        return Optional.ofNullable(view.cycles().get(cycle)).map(open -> text(view, open));
    }

    private static String text(ClusterView view, OpenCycle open) {
        StringBuilder text = new StringBuilder();
        Optional<Totals> accounts = of(view, open);
        text.append("cycle ").append(open.cycle().number());
        text.append(accounts.map(totals -> ": " + totals.points() + " points named by the cut, " + totals.aggregated()
                        + " aggregated, " + totals.late() + " late, " + totals.rejected() + " rejected, "
                        + totals.filtered() + " filtered, " + totals.rows() + " rows; unaccounted: "
                        + totals.unaccounted())
                .orElse(": not committed yet"));
        for (int part = 0; part < open.assignment().owners().size(); part++) {
            text.append(String.format(
                    "%npart %d: sent by %s",
                    part, queue(view, open.assignment().owners().get(part))));
        }
        for (int shard = 0; shard < open.cycle().shards(); shard++) {
            ShardCommit commit = open.commits().get(shard);
            text.append(String.format(
                    "%nshard %d: %s",
                    shard,
                    commit == null
                            ? "not committed"
                            : "committed by " + processor(view, commit.session()) + ", "
                                    + commit.accounts().aggregated()
                                    + " aggregated, " + commit.accounts().late() + " late, "
                                    + commit.accounts().rejected() + " rejected, "
                                    + commit.accounts().filtered() + " filtered, " + commit.rows() + " rows"));
        }
        return text.toString();
    }

    private static String queue(ClusterView view, long session) {
        return view.queue(session).map(member -> member.id()).orElseGet(() -> Long.toHexString(session));
    }

    private static String processor(ClusterView view, long session) {
        return view.processor(session).map(member -> member.id()).orElseGet(() -> Long.toHexString(session));
    }
}
