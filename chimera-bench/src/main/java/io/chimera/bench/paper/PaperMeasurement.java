package io.chimera.bench.paper;

/**
 * Result of a row.
 *
 * @param row the row
 * @param pointsPerSecond points per second
 * @param cores processor time per second, in cores
 * @param pointBytes written or sent bytes per point; 0 when nothing is written
 */
record PaperMeasurement(PaperRow row, double pointsPerSecond, double cores, double pointBytes) {
    private static final double BYTES_PER_MB = 1e6;

    /** Returns the points per second of processor time. */
    double perCore() {
        return pointsPerSecond / cores;
    }

    /** Returns the MB/s; 0 when nothing is written. */
    double megabytesPerSecond() {
        return pointsPerSecond * pointBytes / BYTES_PER_MB;
    }
}
