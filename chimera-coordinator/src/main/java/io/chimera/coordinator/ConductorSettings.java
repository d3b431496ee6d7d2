package io.chimera.coordinator;

import io.chimera.common.cluster.Copies;
import java.time.Duration;

/**
 * What the conductor decides by.
 *
 * @param every time from one cycle to the next
 * @param maxPoints a cycle begins early when more new points than this are durable, and takes no more than this many
 *     (but at least one of each stream that has any)
 * @param inFlight most cycles that are open at a time
 * @param copies journals that must hold a point before a cycle takes it
 * @param digest of this coordinator's own configuration; members with another get no work
 * @param grace how long a session may be missing before its work is given to others
 * @param stragglerAfter how far a live node may be behind the others of a cycle before its work is given to them
 * @param finishAfter how long a stream must look finished before cuts name it no more
 * @param clockStepMax largest step of the machine's clock that cycle times follow at once
 * @param unreachableAfter time for which a live node must be unreachable before the log names it; longer than a session
 *     outlives its process
 */
public record ConductorSettings(
        Duration every,
        long maxPoints,
        int inFlight,
        Copies copies,
        String digest,
        Duration grace,
        Duration stragglerAfter,
        Duration finishAfter,
        Duration clockStepMax,
        Duration unreachableAfter) {
    /** Cycles open at a time, unless configured: one is read, one is sent, one is flushed. */
    public static final int IN_FLIGHT_DEFAULT = 3;

    /**
     * Time for a session that ZooKeeper expired by mistake (a long pause of the node) to come back: connecting again and
     * one write are done within some tens of ms.
     */
    public static final Duration GRACE_DEFAULT = Duration.ofMillis(500);

    /** Longer than any pause for garbage and any hiccup of a store, short beside what an operator takes to look. */
    public static final Duration STRAGGLER_AFTER_DEFAULT = Duration.ofSeconds(10);

    /**
     * Far longer than a node whose disk stalls stays in the cluster, and than announcements lag. A stream costs 30 bytes
     * per cycle until then.
     */
    public static final Duration FINISH_AFTER_DEFAULT = Duration.ofMinutes(10);

    /** Larger than the steps of time synchronization that works, and smaller than any useful late_after. */
    public static final Duration CLOCK_STEP_MAX_DEFAULT = Duration.ofMinutes(1);

    /** In addition to the session timeout: longer than a node that starts on a busy machine needs for its channels. */
    public static final Duration UNREACHABLE_AFTER_DEFAULT = Duration.ofSeconds(10);

    /** Checks the ranges. */
    public ConductorSettings {
        if (every.toMillis() < 1
                || maxPoints < 1
                || inFlight < 1
                || grace.isNegative()
                || stragglerAfter.isNegative()
                || finishAfter.isNegative()
                || unreachableAfter.isNegative()
                || clockStepMax.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "The conductor needs every >= 1ms, max_points >= 1, in_flight >= 1, clock_step_max >= 1ms,"
                            + " and no time below 0ms");
        }
    }
}
