package io.chimera.dataset.cluster;

/**
 * Phase of a job as its leader sees it. A new leader begins with PLANNING and passes each phase whose result is
 * recorded.
 *
 * <pre>
 * from      event                                          to
 * PLANNING  the board has a plan                           SPLITS
 * SPLITS    every split has a result, or is bad            RANGES, once the board has the plan of the merges
 * RANGES    a result is lost                               SPLITS
 * RANGES    every range is stored                          ENDED
 * any       work failed for good                           ENDED
 * </pre>
 */
enum LeaderPhase {
    /** Objects are listed, and splits are searched. */
    PLANNING,
    /** Splits are handed out. */
    SPLITS,
    /** Ranges of windows are handed out. */
    RANGES,
    /** The end is recorded. */
    ENDED
}
