package io.chimera.coordinator.conductor;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleGroups;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.coordinator.plan.Assignments;
import io.chimera.coordinator.plan.Cuts;
import io.chimera.coordinator.plan.DeadNodes;
import io.chimera.coordinator.plan.FinishedStreams;
import io.chimera.coordinator.watch.Standstill.Cause;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins cycles (rule 1 of docs/protocol.md), and names the cause when the next cycle cannot begin. Used by the
 * conductor's thread only.
 */
final class CycleStarter {
    private static final Logger LOG = LoggerFactory.getLogger(CycleStarter.class);

    /**
     * Maximum number of committed cycles above the low-water mark that wait for an operator's decision about a cycle
     * with unaccounted points: 2.8 hours at 10 s per cycle. The limit bounds their znodes; the points stay in the
     * journals, up to the limit of the journals.
     */
    private static final int HELD_MAX = 1_000;

    private final ConductorEnvironment environment;
    private final ConductorSettings settings;
    private final TermState term;
    private final CycleSchedule schedule;
    private final ProcessorShares shares;
    private final FinishedStreams finished;

    CycleStarter(ConductorEnvironment environment, TermState term, CycleSchedule schedule, ProcessorShares shares) {
        this.environment = environment;
        this.term = term;
        this.schedule = schedule;
        this.shares = shares;
        settings = environment.settings();
        finished = new FinishedStreams(settings.tolerances().finishAfter().toNanos());
    }

    /** Updates the observations from a view. */
    void look(ClusterView view, long nowNs) {
        finished.look(view, nowNs);
    }

    /** Begins the next cycle; returns false without a write when no cycle is due, or the next cycle cannot begin. */
    boolean next(ClusterView view, long nowNs) {
        if (!hasMembers(view)) {
            return false;
        }
        Positions previous = view.lastCut();
        List<QueueMember> queues = term.candidates().queues(view);
        Positions cut = Cuts.sendable(view, Cuts.furthest(view, settings.copies(), finished.at(nowNs)), queues);
        long points = cut.recordsSince(previous);
        if (!schedule.isSet()) {
            if (points > 0) {
                blockForClock(view);
            }
            return false;
        }
        if (!schedule.isDue(view, nowNs) && points <= settings.maxPoints()) {
            return false;
        }
        if (points == 0) {
            schedule.skipPeriod(nowNs);
            checkCopies(view);
            return false;
        }
        if (isWindowFull(view) || waitsForOldPipelines(view)) {
            return false;
        }
        return begin(view, queues, Cuts.limited(previous, cut, settings.maxPoints()), nowNs);
    }

    private boolean begin(ClusterView view, List<QueueMember> queues, Positions cut, long nowNs) {
        Positions previous = view.lastCut();
        List<ProcessorMember> processors = term.candidates().processors(view);
        ConfigurationDigest digest = term.rollout().digest();
        long number = view.newest() + 1;
        Cycle cycle = new Cycle(
                number,
                term.epoch(),
                schedule.time(view, nowNs),
                cut,
                queues.stream().map(QueueMember::session).toList(),
                shares.next(processors),
                Optional.empty(),
                CycleGroups.of(queues, view.streamGroups().of(cut)));
        Optional<Assignment> assignment = Assignments.first(cycle, digest, previous, queues);
        if (assignment.isEmpty()) {
            blockForJournal(view, "");
            return false;
        }
        boolean isAccepted = environment.store().begin(cycle, assignment.get());
        if (term.writes().stands(isAccepted, nowNs, next -> next.newest() >= number)) {
            environment.counters().increment(CoordinatorCounter.CYCLES_BEGUN);
            term.ledger().begun(number, nowNs);
            if (!view.lastDigest().equals(digest)) {
                LOG.info("Configuration of new cycles changed: cycle={} digest={}.", number, digest);
            }
            schedule.begun(nowNs);
            term.standstills().unblock();
        }
        return true;
    }

    /**
     * Returns whether both tiers have a node for work. Without queue nodes no new point shows in any view, so this
     * check precedes the count of points. A cluster that has never had a queue node is still being set up and reports
     * no standstill.
     */
    private boolean hasMembers(ClusterView view) {
        boolean hasQueue = !term.candidates().queues(view).isEmpty();
        if (hasQueue && !term.candidates().processors(view).isEmpty()) {
            term.standstills().unblock(Cause.NO_QUEUE_NODE);
            term.standstills().unblock(Cause.NO_PROCESSOR);
            return true;
        }
        boolean isNew = view.queues().isEmpty() && view.registered() == 0;
        if (!isNew) {
            block(
                    hasQueue ? Cause.NO_PROCESSOR : Cause.NO_QUEUE_NODE,
                    view,
                    hasQueue ? List.of() : view.deadNodes(),
                    "no " + (hasQueue ? "live processor can aggregate" : "live queue node can send")
                            + ". Start one; chimera cluster status lists the nodes that leave or are excluded");
        }
        return false;
    }

    /** Returns whether no further cycle may be open. */
    private boolean isWindowFull(ClusterView view) {
        int held = CycleAccounts.held(view);
        if (held >= HELD_MAX) {
            block(
                    Cause.UNACCOUNTED,
                    view,
                    List.of(),
                    CycleAccounts.problem(view).orElse(""));
            return true;
        }
        boolean isFull = view.cycles().size() - held >= settings.inFlight();
        if (isFull) {
            block(
                    Cause.CYCLE_OPEN,
                    view,
                    List.of(),
                    view.cycles().size() + " cycles are open, the oldest is "
                            + view.cycles().firstKey());
        }
        return isFull;
    }

    private boolean waitsForOldPipelines(ClusterView view) {
        Optional<OpenCycle> old = term.rollout().unfinished(view);
        if (old.isPresent()) {
            block(
                    Cause.OLD_PIPELINES,
                    view,
                    List.of(),
                    "cycle " + old.get().cycle().number()
                            + " must end with the old pipelines before the new ones begin");
            return true;
        }
        return false;
    }

    private void blockForClock(ClusterView view) {
        block(
                Cause.CLOCK_UNKNOWN,
                view,
                List.of(),
                "the clock of this machine is far from the time of the last cycle; the conductor waits up to "
                        + CycleClock.FRESH_WITHIN.toSeconds()
                        + " s for the clocks of the queue nodes. Check the time synchronization of this machine");
    }

    private void blockForJournal(ClusterView view, String group) {
        List<String> dead = view.deadNodes();
        block(
                Cause.JOURNAL_MISSING,
                view,
                dead,
                group + "no live queue node's journal still holds the start of cycle " + (view.newest() + 1) + ". "
                        + DeadNodes.remedyForStart(view));
    }

    /**
     * Reports a standstill when new points exist, but on fewer journals than required, or without the start of their
     * cycle. Points of nodes that may take no parts, for example during a drain, wait without a report.
     */
    private void checkCopies(ClusterView view) {
        boolean isSingle = view.groups().size() == 1;
        for (JournalGroup group : view.groups()) {
            ClusterView own = view.in(group);
            String name = isSingle ? "" : "in journal group " + group + " ";
            Positions cut = Cuts.furthest(own, settings.copies(), Set.of());
            if (cut.recordsSince(own.lastCut()) > 0) {
                if (!Cuts.hasStart(own, cut)) {
                    blockForJournal(own, name);
                    return;
                }
            } else if (hasNewPoints(own)) {
                blockForCopies(own, name);
                return;
            }
        }
        term.standstills().unblock();
    }

    /** Returns whether a journal of a group holds new points. */
    private static boolean hasNewPoints(ClusterView group) {
        Positions onOne = Cuts.furthest(group, ReplicationPolicy.of(1), Set.of());
        return onOne.recordsSince(group.lastCut()) > 0;
    }

    private void blockForCopies(ClusterView view, String group) {
        List<String> dead = view.deadNodes();
        block(
                Cause.TOO_FEW_COPIES,
                view,
                dead,
                group + "new points are on fewer than " + settings.copies().needed(view) + " journals, and "
                        + view.queues().size() + " of " + view.registered() + " queue nodes live. "
                        + remedy(view, dead));
    }

    private static String remedy(ClusterView view, List<String> dead) {
        if (!dead.isEmpty()) {
            return "Start " + String.join(", ", dead) + ", or remove lost nodes with chimera cluster remove";
        }
        return view.members() < view.registered()
                ? "The other queue nodes have fewer lanes; set the same queue.lanes on all of them"
                : "Replication between queue nodes does not work; see their logs";
    }

    private void block(Cause cause, ClusterView view, List<String> nodes, String text) {
        term.standstills().block(cause, view.newest() + 1, nodes, text);
    }
}
