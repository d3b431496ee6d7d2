package io.chimera.coordinator;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.LowMark.Totals;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.ShardCommit;
import java.util.Optional;

/**
 * Compares the points that a cycle names with those that its commits account for. A cycle that does not add up holds the
 * low-water mark below it, so that the journals keep its points, until an operator decides. Everything follows from the view,
 * so every coordinator finds the same.
 */
final class CycleAccounts {
    private CycleAccounts() {}

    /**
     * Accounts of a committed cycle.
     *
     * @return empty when it is not committed, or the cut before is not known
     */
    static Optional<Totals> of(ClusterView view, OpenCycle open) {
        return open.isCommitted()
                ? view.cutBefore(open.cycle().number())
                        .map(before -> Totals.ZERO.plus(
                                open, Cuts.points(before, open.cycle().cut())))
                : Optional.empty();
    }

    /** The first cycle that does not add up; all cycles before it are committed. */
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

    /** Cycles that do not add up. */
    static int unaccounted(ClusterView view) {
        return (int) view.cycles().values().stream()
                .flatMap(open -> of(view, open).stream())
                .filter(accounts -> accounts.unaccounted() != 0)
                .count();
    }

    /** Committed cycles above the mark that wait only for the decision about one that does not add up. */
    static int held(ClusterView view) {
        if (holding(view).isEmpty()) {
            return 0;
        }
        return (int) view.cycles().values().stream()
                .takeWhile(OpenCycle::isCommitted)
                .count();
    }

    /** Why the low-water mark stays where it is, and what to do; empty when all cycles add up. */
    static Optional<String> problem(ClusterView view) {
        return holding(view).map(open -> {
            long number = open.cycle().number();
            Totals accounts = of(view, open).orElseThrow();
            return "Cycle " + number + " does not add up: its cut names " + accounts.points()
                    + " points and its commits account for " + (accounts.points() - accounts.unaccounted())
                    + ". The low-water mark stays below it and the journals keep everything. Look at it with chimera"
                    + " cluster account " + number + ", then decide with --replay or --accept.";
        });
    }

    /** The accounts of an open cycle as text; empty when the cycle is not open. */
    static Optional<String> text(ClusterView view, long cycle) {
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
                            : "committed by " + processor(view, commit.session()) + ", " + commit.aggregated()
                                    + " aggregated, " + commit.late() + " late, " + commit.rejected() + " rejected, "
                                    + commit.filtered() + " filtered, " + commit.rows() + " rows"));
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
