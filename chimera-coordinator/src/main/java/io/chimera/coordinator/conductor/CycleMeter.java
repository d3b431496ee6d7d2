package io.chimera.coordinator.conductor;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ShardCommit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Measures cycles from the views of one term: the time of a cycle is the time between the first view that shows the
 * cycle and the first view that shows all of its commits. Cycles that were open at the begin of the term and cycles
 * with a reassignment are not measured: their times contain failures. Used by the conductor's thread only.
 */
final class CycleMeter {
    private final TreeMap<Long, Watch> watches = new TreeMap<>();
    private final Map<Long, Long> lastCommitNs = new HashMap<>();
    private long seenUpTo = -1;

    /** Observations of one open cycle. */
    private static final class Watch {
        private final long beganNs;
        private final Map<Integer, Long> committedNs = new HashMap<>();
        private boolean isMeasured;

        Watch(long beganNs) {
            this.beganNs = beganNs;
        }
    }

    /**
     * Updates the observations from a view.
     *
     * @param measured receives each committed cycle once
     */
    void look(ClusterView view, long nowNs, Consumer<CycleCost> measured) {
        if (seenUpTo < 0) {
            seenUpTo = view.newest();
            return;
        }
        watches.keySet().removeIf(number -> view.open(number).isEmpty());
        lastCommitNs.keySet().removeIf(session -> view.processor(session).isEmpty());
        for (OpenCycle open : view.cycles().values()) {
            long number = open.cycle().number();
            if (number > seenUpTo) {
                watches.put(number, new Watch(nowNs));
                seenUpTo = number;
            }
            Watch watch = watches.get(number);
            if (watch != null && !watch.isMeasured) {
                open.commits().keySet().forEach(shard -> watch.committedNs.putIfAbsent(shard, nowNs));
                measure(view, open, watch, measured);
            }
        }
    }

    private void measure(ClusterView view, OpenCycle open, Watch watch, Consumer<CycleCost> measured) {
        Optional<Positions> before = view.cutBefore(open.cycle().number());
        if (!open.isCommitted() || before.isEmpty()) {
            return;
        }
        watch.isMeasured = true;
        Map<Long, CycleCost.Work> work = work(open, watch);
        if (open.assignment().version() == 0) {
            long lastNs = watch.committedNs.values().stream()
                    .mapToLong(Long::longValue)
                    .max()
                    .orElse(watch.beganNs);
            measured.accept(new CycleCost(
                    open.cycle().number(),
                    open.cycle().cut().recordsSince(before.get()),
                    lastNs - watch.beganNs,
                    work));
        }
    }

    private Map<Long, CycleCost.Work> work(OpenCycle open, Watch watch) {
        SortedMap<Long, Long> endNs = new TreeMap<>();
        SortedMap<Long, Long> points = new TreeMap<>();
        for (ShardCommit commit : open.commits().values()) {
            endNs.merge(commit.session(), watch.committedNs.getOrDefault(commit.shard(), watch.beganNs), Math::max);
            points.merge(commit.session(), points(commit.accounts()), Long::sum);
        }
        Map<Long, CycleCost.Work> work = new HashMap<>();
        endNs.forEach((session, end) -> {
            long sinceNs = Math.max(watch.beganNs, lastCommitNs.getOrDefault(session, watch.beganNs));
            work.put(session, new CycleCost.Work(points.getOrDefault(session, 0L), end - sinceNs));
            lastCommitNs.merge(session, end, Math::max);
        });
        return work;
    }

    private static long points(ShardCommit.Accounts accounts) {
        return accounts.aggregated() + accounts.late() + accounts.rejected();
    }
}
