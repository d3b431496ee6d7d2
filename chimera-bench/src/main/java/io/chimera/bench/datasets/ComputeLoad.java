package io.chimera.bench.datasets;

import java.util.Locale;

/** Computation of a job, relative to the time of its transfer at the full rate of the path. */
enum ComputeLoad {
    /** A fifth of the transfer. */
    LIGHT(0.2),
    /** As long as the transfer. */
    EQUAL(1),
    /** Five times the transfer. */
    HEAVY(5);

    private final double transfers;

    ComputeLoad(double transfers) {
        this.transfers = transfers;
    }

    /** Returns the name in figures. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the time of the computation on all cores, as a multiple of the transfer. */
    double transfers() {
        return transfers;
    }

    /**
     * Returns the rounds of a setting. A heavy computation is measured once: its time varies least, and takes longest.
     *
     * @param roundsMax rounds of the other computations
     */
    int rounds(int roundsMax) {
        return this == HEAVY ? 1 : roundsMax;
    }
}
