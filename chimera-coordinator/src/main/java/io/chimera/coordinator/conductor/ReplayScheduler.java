package io.chimera.coordinator.conductor;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleGroups;
import io.chimera.common.cluster.CycleStore;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.RegisteredNodes;
import io.chimera.common.cluster.Replay;
import io.chimera.common.cluster.ReplayMark;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.cluster.Replays;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.plan.Assignments;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes replay requests (Chimera 2017, III-F2), one cycle at a time, in addition to live cycles. The next write
 * follows from the newest view alone, so that another conductor can continue. A replay cycle is
 * sent, staged, flushed, committed and reassigned like any other cycle, but has no part in the cut, the low-water mark
 * and the totals of live traffic. Used by the conductor's thread only.
 */
final class ReplayScheduler {
    private static final Logger LOG = LoggerFactory.getLogger(ReplayScheduler.class);

    /** Time after which a past cycle without a journal is skipped: a restarting queue node returns sooner. */
    static final long LOST_NS = TimeUnit.SECONDS.toNanos(30);

    /** Number of finished requests to keep for the status. */
    static final int DONE_KEPT = 16;

    private final CycleStore store;
    private final ConductorSettings settings;
    private final Counters<CoordinatorCounter> counters;
    private final TermState term;

    /** Past cycle that no live journal holds; 0 if none. */
    private long lostCycle;

    /** Time since which no live journal holds that cycle. */
    private long lostSinceNs;

    ReplayScheduler(ConductorEnvironment environment, TermState term) {
        store = environment.store();
        settings = environment.settings();
        counters = environment.counters();
        this.term = term;
    }

    /** Reasons to skip a past cycle. */
    private enum SkipReason {
        /** No queue node has held the cycle for the whole wait. */
        NO_JOURNAL("no live queue node's journal holds the cycle any more. Raise queue.journal.retain_for and"
                + " retain_bytes to keep cycles longer"),
        /** A group with records in the cycle has no registered and no live queue node. */
        GROUP_RETIRED("a journal group with points of the cycle has retired, so no journal has these points");

        private final String text;

        SkipReason(String text) {
            this.text = text;
        }
    }

    /**
     * One write.
     *
     * @param write writes; returns false when the store refuses
     * @param shown tests whether a view shows the write
     * @param done action after an accepted write
     */
    private record Step(BooleanSupplier write, Predicate<ClusterView> shown, Runnable done) {}

    /** Performs the next write; returns false when none is due. */
    boolean next(ClusterView view, long nowNs) {
        Optional<Step> step = step(view, nowNs);
        step.ifPresent(next -> {
            if (term.writes().stands(next.write().getAsBoolean(), nowNs, next.shown())) {
                next.done().run();
            }
        });
        return step.isPresent();
    }

    private Optional<Step> step(ClusterView view, long nowNs) {
        Replays replays = view.replays();
        if (replays.open().isPresent()) {
            return close(view, replays.open().get(), nowNs);
        }
        return replays.current().isPresent() ? begin(view, replays.current().get(), nowNs) : forget(replays);
    }

    private Optional<Step> close(ClusterView view, OpenCycle open, long nowNs) {
        Replay replay = open.cycle().replay().orElseThrow();
        Optional<ReplayRequest> request = Optional.ofNullable(
                        view.replays().requests().get(replay.request()))
                .filter(asked ->
                        !asked.isDone() && asked.cycles().get(asked.next()).number() == replay.cycle());
        long number = open.cycle().number();
        LowMark.Totals totals = view.replays().mark().totals();
        if (request.isEmpty()) {
            LOG.info("Abandoned the replay of cycle {} because its request was withdrawn.", replay.cycle());
            return Optional.of(advance(new ReplayMark(number, totals), request, () -> {}));
        }
        if (open.isCommitted()) {
            long points = open.cycle().cut().recordsSince(replay.before());
            LowMark.Totals accounts = LowMark.Totals.ZERO.plus(open, points);
            return Optional.of(advance(
                    new ReplayMark(number, totals.plus(accounts)),
                    request.map(asked -> asked.afterRun(accounts)),
                    () -> count(replay.cycle(), accounts)));
        }
        Set<JournalGroup> groups =
                open.cycle().groups().streams().among(open.cycle().cut());
        return lost(view, open.assignment().digest(), replay.cycle(), groups, nowNs)
                .map(reason -> skip(new ReplayMark(number, totals), request.get(), replay.cycle(), reason));
    }

    private Optional<Step> begin(ClusterView view, ReplayRequest request, long nowNs) {
        ConfigurationDigest digest = term.rollout().digest();
        List<QueueMember> queues = term.candidates().queues(view);
        List<ProcessorMember> processors = term.candidates().processors(view);
        ReplayMark mark = view.replays().mark();
        PastCycle past = request.cycles().get(request.next());
        Set<JournalGroup> groups = past.groups().streams().among(past.cut());
        Optional<SkipReason> lost = lost(view, digest, past.number(), groups, nowNs);
        if (lost.isPresent()) {
            return Optional.of(skip(mark, request, past.number(), lost.get()));
        }
        if (view.open().stream().anyMatch(open -> !open.assignment().isFor(digest))) {
            return Optional.empty(); // no cycle begins while open cycles have another configuration
        }
        // Live traffic has priority: this replay cycle and one more live cycle must still fit into the maximum of open
        // cycles.
        boolean hasRoom = view.cycles().size() <= Math.max(0, settings.inFlight() - 2);
        // Without a part of a group its records would be missing in the rows.
        boolean isSendable = queues.stream()
                .map(QueueMember::group)
                .collect(Collectors.toSet())
                .containsAll(groups);
        if (!hasRoom || !isSendable || queues.isEmpty() || processors.isEmpty()) {
            return Optional.empty();
        }
        Cycle cycle = new Cycle(
                mark.cycle() + 1,
                term.epoch(),
                past.time(),
                past.cut(),
                queues.stream().map(QueueMember::session).toList(),
                processors.stream().map(ProcessorMember::session).toList(),
                Optional.of(new Replay(request.id(), past.number(), past.before(), request.pipeline())),
                CycleGroups.of(queues, past.groups().streams()));
        Optional<Assignment> assignment = Assignments.first(cycle, digest, past.before(), queues);
        return assignment.map(first -> new Step(
                () -> store.begin(cycle, first),
                next -> next.replays().open().isPresent() || next.isOver(cycle.number()),
                () -> {}));
    }

    private Step skip(ReplayMark mark, ReplayRequest request, long cycle, SkipReason reason) {
        return advance(mark, Optional.of(request.afterSkip()), () -> {
            counters.increment(CoordinatorCounter.REPLAYS_SKIPPED);
            LOG.warn("Skipped the replay of cycle {}: {}.", cycle, reason.text);
        });
    }

    private Step advance(ReplayMark mark, Optional<ReplayRequest> request, Runnable done) {
        return new Step(
                () -> store.advanceReplay(mark, request),
                next -> next.replays().mark().cycle() >= mark.cycle()
                        && request.map(noted -> isNoted(next, noted)).orElse(true),
                done);
    }

    private static boolean isNoted(ClusterView view, ReplayRequest request) {
        ReplayRequest shown = view.replays().requests().get(request.id());
        return shown == null || shown.next() >= request.next();
    }

    private Optional<Step> forget(Replays replays) {
        List<String> done = replays.requests().values().stream()
                .filter(ReplayRequest::isDone)
                .map(ReplayRequest::id)
                .toList();
        if (done.size() <= DONE_KEPT) {
            return Optional.empty();
        }
        String oldest = done.get(0);
        return Optional.of(new Step(
                () -> store.forgetReplay(oldest),
                next -> !next.replays().requests().containsKey(oldest),
                () -> {}));
    }

    /**
     * Returns why a past cycle is skipped: no queue node of a group has held the cycle until the wait expired, or the
     * group has retired, so that no node can return. Empty while the cycle may be replayed.
     *
     * @param groups groups with records in the cycle
     */
    private Optional<SkipReason> lost(
            ClusterView view, ConfigurationDigest digest, long cycle, Set<JournalGroup> groups, long nowNs) {
        List<ClusterView> without = groups.stream()
                .map(view::in)
                .filter(group ->
                        group.queues().stream().noneMatch(member -> member.holds(digest) && member.holdsPast(cycle)))
                .toList();
        if (without.isEmpty()) {
            lostCycle = 0;
            return Optional.empty();
        }
        if (view.connected() && without.stream().anyMatch(ReplayScheduler::isRetired)) {
            return Optional.of(SkipReason.GROUP_RETIRED);
        }
        if (lostCycle != cycle) {
            lostCycle = cycle;
            lostSinceNs = nowNs;
        }
        // When such a group is live as a whole, no other queue node can bring the cycle back.
        boolean isWhole = without.stream().anyMatch(group -> group.queues().size() >= Math.max(1, group.members()));
        long waitNs = isWhole ? settings.tolerances().grace().toNanos() : LOST_NS;
        return nowNs - lostSinceNs >= waitNs ? Optional.of(SkipReason.NO_JOURNAL) : Optional.empty();
    }

    private static boolean isRetired(ClusterView group) {
        return group.registration().state() == RegisteredNodes.State.NOT_REGISTERED
                && group.queues().isEmpty();
    }

    private void count(long cycle, LowMark.Totals accounts) {
        counters.increment(CoordinatorCounter.CYCLES_REPLAYED);
        counters.add(CoordinatorCounter.POINTS_REPLAYED, accounts.points());
        if (accounts.unaccounted() != 0) {
            counters.add(CoordinatorCounter.POINTS_UNACCOUNTED, Math.abs(accounts.unaccounted()));
            LOG.error(
                    "The replay of cycle {} has unaccounted points: the cycle has {} points, its commits account for"
                            + " {}. This is a defect of Chimera; keep the journals and report the defect.",
                    cycle,
                    accounts.points(),
                    accounts.points() - accounts.unaccounted());
        }
    }
}
