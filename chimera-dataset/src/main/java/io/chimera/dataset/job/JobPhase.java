package io.chimera.dataset.job;

/**
 * Phase of a job in one process.
 *
 * <pre>
 * from       event                              to
 * PLANNING   the plan is durable                COMPUTING
 * COMPUTING  the strategy is copy               COPYING
 * COPYING    the splits left have copies        COMPUTING
 * COMPUTING  all splits are computed            STORING
 * STORING    the rows of all windows are there  DONE
 * </pre>
 *
 * <p>A job that fails or is stopped keeps its phase; the next run begins with it, because each phase leaves its result
 * in the {@link JobFolder}.
 */
public enum JobPhase {
    /** Objects are listed, and splits are searched. */
    PLANNING,
    /** Objects are copied, before the computation begins. */
    COPYING,
    /** Splits are read and aggregated. */
    COMPUTING,
    /** Windows are merged, and their rows are stored. */
    STORING,
    /** All rows are stored. */
    DONE
}
