package io.chimera.dataset.plan;

import java.util.OptionalDouble;

/**
 * Progress of a running job, and the rates of its stages since the last report. A rate counts only the time in which
 * the stage had work and was not blocked by the next stage; a stage without such time has no rate. A stage without a
 * sampled rate is not corrected.
 *
 * @param computedBytes bytes of the splits that are computed and committed
 * @param copiedBytes bytes with a copy that are not computed yet
 * @param elapsedSeconds time since the job began
 * @param spent cost so far, in the currency of the prices
 * @param splitsSinceChange splits computed or copied since the job began, or since the last change of the strategy
 * @param reception bytes per second from all sources to all receiving nodes
 * @param computingPerCore bytes per second of a computing core
 * @param write bytes per second that all data nodes write
 * @param read bytes per second that all data nodes read
 */
public record MeasuredProgress(
        long computedBytes,
        long copiedBytes,
        double elapsedSeconds,
        double spent,
        long splitsSinceChange,
        OptionalDouble reception,
        OptionalDouble computingPerCore,
        OptionalDouble write,
        OptionalDouble read) {
    /**
     * Checks the values.
     *
     * @param computedBytes at least 0
     * @param copiedBytes at least 0
     * @param elapsedSeconds at least 0
     * @param spent at least 0
     * @param splitsSinceChange at least 0
     * @param reception at least 0
     * @param computingPerCore at least 0
     * @param write at least 0
     * @param read at least 0
     */
    public MeasuredProgress {
        if (computedBytes < 0 || copiedBytes < 0 || splitsSinceChange < 0) {
            throw new IllegalArgumentException(computedBytes + " bytes computed, " + copiedBytes + " copied, "
                    + splitsSinceChange + " splits since the change; expected at least 0");
        }
        boolean isSound = elapsedSeconds >= 0
                && spent >= 0
                && reception.orElse(0) >= 0
                && computingPerCore.orElse(0) >= 0
                && write.orElse(0) >= 0
                && read.orElse(0) >= 0;
        if (!isSound) {
            throw new IllegalArgumentException("progress after " + elapsedSeconds + " s with rates " + reception + ", "
                    + computingPerCore + ", " + write + ", " + read + "; expected at least 0");
        }
    }
}
