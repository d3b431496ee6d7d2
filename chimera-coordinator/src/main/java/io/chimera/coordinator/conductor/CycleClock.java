package io.chimera.coordinator.conductor;

import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.common.metrics.Counters;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Supplies the time of cycles. Cycle times only grow, so a clock that is wrong for seconds must not reach them: a jump
 * ahead by a day would make every later point late for a day. This clock follows the machine's clock in small steps and
 * bridges larger steps with the monotonic clock. The clocks announced by queue nodes decide where the monotonic clock
 * cannot.
 *
 * <pre>
 *   state      event                                                        next       time
 *   UNSET      machine's clock agrees with the median of fresh clocks       FOLLOWING  machine's clock
 *   UNSET      machine's clock is within one step of the newest time        FOLLOWING  machine's clock
 *              in the view
 *   UNSET      median of fresh clocks disagrees                             RIDING     median
 *   UNSET      no fresh clock within {@link #FRESH_WITHIN}, or no queue     FOLLOWING  machine's clock
 *              node announces one
 *   UNSET      otherwise                                                    UNSET      none: no cycle begins
 *   FOLLOWING  machine's clock moved by more than one step                  RIDING     monotonic clock
 *   RIDING     machine's clock is within one step of the time again         FOLLOWING  machine's clock
 *   RIDING     median agrees with the machine's clock for {@link #ADOPT_AFTER}
 *                                                                           FOLLOWING  machine's clock
 * </pre>
 *
 * <p>A clock belongs to one term. Used by the conductor's thread only.
 */
final class CycleClock {
    /**
     * Maximum wait for fresh clocks after a start: two announcements, because queue nodes announce their clock every 5
     * s.
     */
    static final Duration FRESH_WITHIN = Duration.ofSeconds(10);

    /**
     * Time for which the queue nodes must agree with a clock that jumped: longer than the minutes that time
     * synchronization needs to correct a clock after a start or a resume.
     */
    static final Duration ADOPT_AFTER = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(CycleClock.class);

    private enum State {
        UNSET,
        FOLLOWING,
        RIDING
    }

    /**
     * Clock of a queue node.
     *
     * @param announcedMs announced time
     * @param seenNs monotonic time of this process when the announcement arrived
     * @param isFresh whether the announcement arrived while this coordinator led; the age of an older one is unknown
     */
    private record MemberClock(long announcedMs, long seenNs, boolean isFresh) {
        long ms(long nowNs) {
            return announcedMs + TimeUnit.NANOSECONDS.toMillis(nowNs - seenNs);
        }
    }

    private final Clock clock;
    private final long stepMaxMs;
    private final Counters<CoordinatorCounter> counters;
    private final Map<Long, MemberClock> members = new HashMap<>();

    private State state = State.UNSET;
    private final long ledSinceNs;
    private long anchorMs;
    private long anchorNs;

    /**
     * Time since which the machine's clock and the median agree; only valid while {@link State#RIDING} and {@link
     * #hasAgreed}.
     */
    private long agreedSinceNs;

    private boolean hasAgreed;
    private String problem = "";

    /**
     * Creates a clock without a time.
     *
     * @param clock of the machine
     * @param stepMax largest step of the machine's clock that cycle times follow at once
     * @param nowNs start of the term
     */
    CycleClock(Clock clock, Duration stepMax, Counters<CoordinatorCounter> counters, long nowNs) {
        this.clock = clock;
        stepMaxMs = stepMax.toMillis();
        this.counters = counters;
        ledSinceNs = nowNs;
    }

    /** Updates the clock. Called once per view or poll. */
    void look(ClusterView view, long nowNs) {
        observe(view, nowNs);
        long machineMs = clock.epochMs();
        switch (state) {
            case UNSET -> start(view, machineMs, nowNs);
            case FOLLOWING -> follow(machineMs, nowNs);
            case RIDING -> ride(machineMs, nowNs);
            default -> throw new IllegalStateException("Unknown state " + state);
        }
    }

    /** Returns whether there is a time; no cycle may begin without a time. */
    boolean isSet() {
        return state != State.UNSET;
    }

    /** Returns the time in ms since 1970. Only valid while {@link #isSet}. */
    long epochMs(long nowNs) {
        return anchorMs + TimeUnit.NANOSECONDS.toMillis(nowNs - anchorNs);
    }

    /**
     * Returns the time against which lateness is judged, in ms since 1970. A clock that was set back counts at once: a
     * clock behind the true time makes no point late.
     */
    long latenessMs(long nowNs) {
        return Math.min(epochMs(nowNs), clock.epochMs());
    }

    /** Returns why cycle times do not follow the machine's clock, for the operator; empty when they do. */
    String problem() {
        return problem;
    }

    private void observe(ClusterView view, long nowNs) {
        members.keySet().removeIf(session -> view.queue(session).isEmpty());
        for (QueueMember member : view.queues()) {
            MemberClock known = members.get(member.session());
            if (member.clockMs() > 0 && (known == null || known.announcedMs() != member.clockMs())) {
                members.put(member.session(), new MemberClock(member.clockMs(), nowNs, known != null));
            }
        }
    }

    private void start(ClusterView view, long machineMs, long nowNs) {
        List<Long> fresh = fresh(nowNs);
        long newestMs =
                members.values().stream().mapToLong(MemberClock::announcedMs).reduce(lastClockMs(view), Math::max);
        boolean isPlausible = machineMs >= newestMs - stepMaxMs && machineMs <= newestMs + stepMaxMs;
        boolean isAlone = members.isEmpty() && !view.queues().isEmpty(); // nodes of a release without clocks
        if (isPlausible || isAlone || nowNs - ledSinceNs >= FRESH_WITHIN.toNanos()) {
            set(State.FOLLOWING, machineMs, nowNs);
        } else if (!fresh.isEmpty()) {
            long medianMs = median(fresh);
            boolean agrees = isWithinStep(machineMs, medianMs);
            set(State.FOLLOWING, agrees ? machineMs : medianMs, nowNs);
            if (!agrees) {
                beginRiding(machineMs, medianMs);
            }
        }
    }

    private void follow(long machineMs, long nowNs) {
        long steadyMs = epochMs(nowNs);
        if (isWithinStep(machineMs, steadyMs)) {
            set(State.FOLLOWING, machineMs, nowNs);
        } else {
            beginRiding(machineMs, steadyMs);
        }
    }

    private void ride(long machineMs, long nowNs) {
        long steadyMs = epochMs(nowNs);
        if (isWithinStep(machineMs, steadyMs)) {
            LOG.info("Cycle times follow the machine's clock again: clock_ms={}.", machineMs);
            endRiding(machineMs, nowNs);
            return;
        }
        List<Long> fresh = fresh(nowNs);
        boolean agrees = !fresh.isEmpty() && isWithinStep(machineMs, median(fresh));
        if (!agrees) {
            hasAgreed = false;
        } else if (!hasAgreed) {
            hasAgreed = true;
            agreedSinceNs = nowNs;
        } else if (nowNs - agreedSinceNs >= ADOPT_AFTER.toNanos()) {
            LOG.warn(
                    "Cycle times follow the machine's clock after its jump because the queue nodes agree with this"
                            + " clock: clock_ms={} cycle_clock_ms={} agreed_for={}.",
                    machineMs,
                    steadyMs,
                    ADOPT_AFTER);
            endRiding(machineMs, nowNs);
        }
    }

    private List<Long> fresh(long nowNs) {
        return members.values().stream()
                .filter(MemberClock::isFresh)
                .map(member -> member.ms(nowNs))
                .sorted()
                .toList();
    }

    private void beginRiding(long machineMs, long timeMs) {
        state = State.RIDING;
        hasAgreed = false;
        counters.increment(CoordinatorCounter.CLOCK_JUMPS);
        problem = "The clock of this machine is " + Math.abs(machineMs - timeMs) / 1000 + " s "
                + (machineMs > timeMs ? "ahead of" : "behind")
                + " the clock of the cycles. Cycle times follow the monotonic clock until the machine's clock is right."
                + " Check the time synchronization of this machine (chronyc tracking, timedatectl)";
        LOG.warn("{}. clock_ms={} cycle_clock_ms={}", problem, machineMs, timeMs);
    }

    private void endRiding(long machineMs, long nowNs) {
        set(State.FOLLOWING, machineMs, nowNs);
        problem = "";
    }

    private void set(State next, long ms, long nowNs) {
        state = next;
        anchorMs = ms;
        anchorNs = nowNs;
    }

    private boolean isWithinStep(long oneMs, long otherMs) {
        return Math.abs(oneMs - otherMs) <= stepMaxMs;
    }

    /** Returns the clock of the newest cycle, or the time of the low-water mark. */
    private static long lastClockMs(ClusterView view) {
        return view.open(view.newest())
                .map(open -> open.cycle().time().clockMs())
                .orElseGet(() -> view.low().timeMs());
    }

    /**
     * Returns the median. With an even number of clocks the lower one of the middle pair counts: cycle times cannot be
     * set back.
     */
    private static long median(List<Long> sorted) {
        return sorted.get((sorted.size() - 1) / 2);
    }
}
