package io.chimera.coordinator.conductor;

import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.CyclePeriods;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import java.time.Duration;

/**
 * Settings of the conductor.
 *
 * @param every bounds of the cycle period
 * @param maxPoints maximum number of points per cycle, but at least one of each stream with new points; a cycle begins
 *     early when more new points are durable
 * @param inFlight maximum number of open cycles
 * @param copies number of journals that must store a point before a cycle includes it
 * @param digest digest of this coordinator's own configuration; members with another digest get no work
 * @param tolerances deviations that the conductor tolerates, and for how long
 */
public record ConductorSettings(
        CyclePeriods every,
        long maxPoints,
        int inFlight,
        ReplicationPolicy copies,
        ConfigurationDigest digest,
        Tolerances tolerances) {
    /** Default maximum of open cycles: reading, sending and flushing overlap. */
    public static final int IN_FLIGHT_DEFAULT = 3;

    /**
     * Default grace: time for a node to return after ZooKeeper expired its session by mistake (a long pause of the
     * node). A reconnect and one write take some tens of ms.
     */
    public static final Duration GRACE_DEFAULT = Duration.ofMillis(500);

    /**
     * Default lag before work is reassigned: longer than any GC pause and any hiccup of a store, short compared with
     * the reaction time of an operator.
     */
    public static final Duration STRAGGLER_AFTER_DEFAULT = Duration.ofSeconds(10);

    /**
     * Default time before cuts omit a finished stream: far longer than a node with a stalled disk stays in the cluster,
     * and than the delay of announcements. Until then a stream costs 30 bytes per cycle.
     */
    public static final Duration FINISH_AFTER_DEFAULT = Duration.ofMinutes(10);

    /**
     * Default clock step: larger than the steps of working time synchronization, and smaller than any useful
     * late_after.
     */
    public static final Duration CLOCK_STEP_MAX_DEFAULT = Duration.ofMinutes(1);

    /**
     * Default time before the log names an unreachable node, added to the session timeout: longer than a node needs for
     * its channels when it starts on a busy machine.
     */
    public static final Duration UNREACHABLE_AFTER_DEFAULT = Duration.ofSeconds(10);

    /**
     * Deviations that the conductor tolerates, and for how long.
     *
     * @param grace time for which a session must be missing before its work is reassigned
     * @param stragglerAfter lag of a live node behind the other nodes of a cycle before its work is reassigned
     * @param finishAfter time for which a stream must look finished before cuts omit it
     * @param clockStepMax largest step of the machine's clock that cycle times follow at once
     * @param unreachableAfter time for which a live node must be unreachable before the log names it; longer than a
     *     session outlives its process
     */
    public record Tolerances(
            Duration grace,
            Duration stragglerAfter,
            Duration finishAfter,
            Duration clockStepMax,
            Duration unreachableAfter) {
        /** Checks the ranges. */
        public Tolerances {
            if (grace.isNegative()
                    || stragglerAfter.isNegative()
                    || finishAfter.isNegative()
                    || unreachableAfter.isNegative()
                    || clockStepMax.toMillis() < 1) {
                throw new IllegalArgumentException("The conductor needs clock_step_max >= 1ms, and no time below 0ms");
            }
        }
    }

    /** Checks the ranges. */
    public ConductorSettings {
        if (maxPoints < 1 || inFlight < 1) {
            throw new IllegalArgumentException("The conductor needs max_points >= 1, in_flight >= 1");
        }
    }
}
