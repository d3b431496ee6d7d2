package io.chimera.bench.datasets;

import io.chimera.bench.datasets.path.PathModel;

/**
 * Path to the data source.
 *
 * @param roundTripMs round trip in milliseconds
 * @param megabits rate of all connections in Mbit/s
 */
record NetworkSetting(int roundTripMs, int megabits) {
    private static final int BITS_PER_BYTE = 8;
    private static final double MEGA = 1e6;

    /** Returns the name in figures. */
    String label() {
        return roundTripMs + "ms_" + megabits + "mbit";
    }

    PathModel model() {
        return PathModel.of(roundTripMs, megabits);
    }

    /** Returns the bytes that the path carries in some seconds. */
    long bytes(double seconds) {
        return (long) (megabits * MEGA / BITS_PER_BYTE * seconds);
    }
}
