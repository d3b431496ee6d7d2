package io.chimera.processor.staging.composer;

/**
 * State of a {@link Rebuild}.
 *
 * <pre>
 * from       event                                             to
 * DUE        a queue node announces the cycle, request queued  REQUESTED
 * DUE        no queue node announces the cycle                 ABSENT
 * ABSENT     a queue node announces the cycle, request queued  REQUESTED
 * ABSENT     a queue node announces the cycle, desk occupied   DUE
 * ABSENT     30 s have passed, a later cycle is announced      DUE, with empty states, after the gap
 * ABSENT     30 s have passed, no later cycle is announced     DONE, with empty states
 * REQUESTED  cycle received and applied, not the last          DUE
 * REQUESTED  cycle received and applied, the last              DONE
 * REQUESTED  all cycles are older than the horizon             DONE
 * REQUESTED  cycle missing, no memory, no answer in 5 s        DUE
 * REQUESTED  parts of a group missing for 30 s, not the last   DUE, with empty states, after the cycle
 * REQUESTED  parts of a group missing for 30 s, the last       DONE, with empty states
 * REQUESTED  the blocks fail                                   FAILED
 * </pre>
 */
enum RebuildState {
    /** The next cycle is to be requested when the delay has passed. */
    DUE,
    /** A queue node was asked for the next cycle. */
    REQUESTED,
    /** No queue node announces the next cycle. */
    ABSENT,
    /** The state is complete. */
    DONE,
    /** The blocks failed: the rebuild has to be restarted. */
    FAILED
}
