package io.chimera.dataset.plan;

/**
 * Optional term of the performance model: workers that fail. A replacement reads and computes again the data since the
 * last commit of the failed worker. With a copy the second reading is nearby; with {@link Strategy#STREAM} the second
 * reading crosses the far network, and the source charges the bytes again.
 *
 * @param failuresPerWorkerHour expected failures of a worker in an hour
 * @param lostBytes bytes to read again after a failure: rate of a worker × time between commits
 */
public record FailureRisk(double failuresPerWorkerHour, long lostBytes) {
    /** Workers that do not fail. */
    public static final FailureRisk NONE = new FailureRisk(0, 0);

    /**
     * Checks the values.
     *
     * @param failuresPerWorkerHour at least 0
     * @param lostBytes at least 0
     */
    public FailureRisk {
        if (!(failuresPerWorkerHour >= 0) || lostBytes < 0) {
            throw new IllegalArgumentException(failuresPerWorkerHour + " failures per worker and hour with " + lostBytes
                    + " lost bytes; expected at least 0");
        }
    }
}
