package io.chimera.coordinator.conductor;

import io.chimera.common.cluster.ClusterView;
import io.chimera.coordinator.plan.Candidates;
import io.chimera.coordinator.plan.ConfigurationRollout;
import io.chimera.coordinator.plan.Reassigner;
import io.chimera.coordinator.watch.FailureDetector;
import io.chimera.coordinator.watch.LostHistory;
import io.chimera.coordinator.watch.MemberEvents;
import io.chimera.coordinator.watch.Standstill;
import io.chimera.coordinator.watch.Standstill.Cause;
import io.chimera.coordinator.watch.StandstillWatch;
import io.chimera.coordinator.watch.Stragglers;
import io.chimera.coordinator.watch.UnreachableNodes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One term of leadership: owns all observations and timers that begin with the leadership and end with it, because
 * observations made before a term are stale. Each turn performs the next write of the first rule that has one. Used by
 * the conductor's thread only.
 */
final class Term {
    /**
     * Maximum poll interval. While the view does not change, only time brings new work: the next period, which shortens
     * the interval, and the ends of grace times.
     */
    private static final long LOOK_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final ConductorEnvironment environment;
    private final ConductorMemory memory;
    private final TermState state;
    private final CycleClock clock;
    private final PeriodRule period;
    private final CycleSchedule schedule;
    private final CycleMeter meter = new CycleMeter();
    private final ProcessorShares shares;
    private final MemberEvents memberEvents;
    private final CycleVerifier verifier;
    private final WorkMover mover;
    private final CycleStarter starter;
    private final ReplayScheduler replays;

    private long seenRevision = -1;
    private long lookAtNs;
    private Optional<Standstill> waiting = Optional.empty();

    /** Begins a term without observations. */
    Term(long epoch, ConductorEnvironment environment, ConductorMemory memory, long nowNs) {
        this.environment = environment;
        this.memory = memory;
        ConductorSettings settings = environment.settings();
        ConductorSettings.Tolerances tolerances = settings.tolerances();
        long graceNs = tolerances.grace().toNanos();
        StandstillWatch standstills = Conductor.standstillWatch(environment, memory);
        UnreachableNodes unreachable =
                new UnreachableNodes(graceNs, tolerances.unreachableAfter().toNanos(), environment.events());
        Reassigner reassigner = new Reassigner(
                new FailureDetector(graceNs),
                unreachable,
                new Stragglers(tolerances.stragglerAfter().toNanos()));
        ConfigurationRollout rollout = new ConfigurationRollout(memory::wanted, graceNs);
        state = new TermState(
                epoch,
                rollout,
                new Candidates(rollout, unreachable),
                new CycleLedger(environment.counters(), memory.committed()),
                new WriteTracker(environment.counters(), standstills),
                standstills);
        clock = new CycleClock(environment.clock(), tolerances.clockStepMax(), environment.counters(), nowNs);
        period = new PeriodRule(settings.every());
        schedule = new CycleSchedule(clock, period, nowNs);
        shares = new ProcessorShares();
        memberEvents = new MemberEvents(memory.members(), graceNs, environment.events());
        verifier = new CycleVerifier(environment.store(), memory.decisions(), state);
        mover = new WorkMover(environment, memory.members(), reassigner, state);
        starter = new CycleStarter(environment, state, schedule, shares);
        replays = new ReplayScheduler(environment, state);
        lookAtNs = nowNs;
    }

    long epoch() {
        return state.epoch();
    }

    /** Returns the standstill found by the last turn; empty when cycles begin and end. */
    Optional<Standstill> waiting() {
        return waiting;
    }

    /** Returns the lasting standstill; empty when cycles begin and end. */
    Optional<Standstill> lasting() {
        return state.standstills().lasting();
    }

    /** Returns the period of cycles. */
    Duration period() {
        return period.period();
    }

    /** Returns why cycle times do not follow the clock of this machine; empty when they do. */
    String clockProblem() {
        return clock.problem();
    }

    /**
     * Performs a turn on a tree that lacks known cycles: no write is permitted.
     *
     * @param reason reason and remedy, for the operator; empty when the view may still catch up
     */
    void awaitRecovery(ClusterView view, String reason, long nowNs) {
        memberEvents.look(view, nowNs);
        String text = reason.isEmpty() ? "the tree lacks cycles that members know" : reason;
        state.standstills().block(Cause.TREE_LOST, view.newest() + 1, List.of(), text);
        waiting = state.standstills().look(view, nowNs);
        environment.wakeup().sleepAtMost(LOOK_EVERY_NS);
    }

    /** Performs a turn; returns the number of writes, at most one. */
    int doWork(ClusterView whole, long nowNs) {
        memberEvents.look(whole, nowNs);
        state.standstills().unblock(Cause.TREE_LOST);
        ClusterView view = LostHistory.ofOneHistory(whole);
        if (view.revision() == seenRevision && nowNs - lookAtNs < 0) {
            environment.wakeup().sleepAtMost(lookAtNs - nowNs);
            return 0;
        }
        if (state.writes().isAwaited(view, nowNs)) {
            return 0;
        }
        seenRevision = view.revision();
        look(view, nowNs);
        boolean hasWritten = verifier.next(view, nowNs)
                || mover.next(view, nowNs)
                || starter.next(view, nowNs)
                || replays.next(view, nowNs);
        lookAtNs = hasWritten ? nowNs : nowNs + Math.min(LOOK_EVERY_NS, untilNextPeriodNs(nowNs));
        waiting = state.standstills().look(view, nowNs);
        return hasWritten ? 1 : 0;
    }

    private void look(ClusterView view, long nowNs) {
        clock.look(view, nowNs);
        state.rollout().look(view, nowNs);
        memory.excluded().look(view, state.rollout().digest(), memory.wanted());
        starter.look(view, nowNs);
        shares.look(view);
        meter.look(view, nowNs, this::measured);
        memory.decisions().retainOpen(view);
    }

    private void measured(CycleCost cost) {
        shares.measured(cost, period.period());
        period.measured(cost);
    }

    private long untilNextPeriodNs(long nowNs) {
        return schedule.untilNextPeriodNs(environment.clock().epochMs(), nowNs);
    }
}
