package io.chimera.common.config;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;

/** Reading of metrics by an input of type statsd. */
public record StatsdConfig(
        @Doc("Meaning of a gauge with a sign: reject, delta (a change, in the field delta) or absolute (a value, as in"
                + " DogStatsD).")
        @Default("reject")
        RelativeGauges relativeGauges) {
    /** Meaning of a gauge with a sign. */
    public enum RelativeGauges {
        /** The point is rejected. */
        REJECT,
        /** A change of the gauge. */
        DELTA,
        /** The value of the gauge. */
        ABSOLUTE
    }
}
