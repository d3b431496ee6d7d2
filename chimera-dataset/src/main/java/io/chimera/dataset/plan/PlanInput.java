package io.chimera.dataset.plan;

import java.time.Duration;

/**
 * Everything that the adviser knows about a job.
 *
 * @param extent amount of data
 * @param measurements results of sampling
 * @param prices prices of nodes, storage and reading
 * @param limits limits that the job should keep
 * @param risk expected failures of workers
 * @param keepCopies time that copies are kept after the job
 */
public record PlanInput(
        DataSetExtent extent,
        Measurements measurements,
        Prices prices,
        JobLimits limits,
        FailureRisk risk,
        Duration keepCopies) {
    /**
     * Checks copies without data nodes.
     *
     * @param extent amount of data; without data nodes no part is copied
     * @param measurements results of sampling
     * @param prices prices
     * @param limits limits
     * @param risk expected failures
     * @param keepCopies not negative
     */
    public PlanInput {
        if (extent.copiedBytes() > 0 && measurements.nodes().dataNodes() == 0) {
            throw new IllegalArgumentException(
                    extent.copiedBytes() + " bytes are copied, but the job has no data nodes to read the copy from");
        }
        if (keepCopies.isNegative()) {
            throw new IllegalArgumentException("copies kept for " + keepCopies + "; expected at least 0");
        }
    }

    /** Returns a job without prices, limits, failures and kept copies. */
    public static PlanInput of(DataSetExtent extent, Measurements measurements) {
        return new PlanInput(extent, measurements, Prices.NONE, JobLimits.NONE, FailureRisk.NONE, Duration.ZERO);
    }

    /** Returns the job with other measurements. */
    PlanInput withMeasurements(Measurements other) {
        return new PlanInput(extent, other, prices, limits, risk, keepCopies);
    }

    /** Returns the rest of the job, which loses no time at a start. */
    PlanInput rest(DataSetExtent left, JobLimits leftLimits) {
        return new PlanInput(left, measurements.started(), prices, leftLimits, risk, keepCopies);
    }
}
