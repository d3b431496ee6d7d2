package io.chimera.bench.paper;

/**
 * Figure of the paper. The paper gives no number of cores for most stages. Such a stage counts as one core, the reading
 * in favour of the paper.
 *
 * @param pointsPerSecond points per second of the machine
 * @param cores cores of the stage
 * @param megabytesPerSecond MB/s; 0 when the paper gives none
 */
record PaperClaim(double pointsPerSecond, int cores, double megabytesPerSecond) {
    /** Cores of a machine of the paper: two processors with six cores (Chimera 2017, V-A). */
    static final int MACHINE_CORES = 12;

    /** Size of a message of the paper (Chimera 2017, V-C1b). */
    private static final int MESSAGE_BYTES = 500;

    private static final double BYTES_PER_MB = 1e6;

    /** Returns a claim of one core. */
    static PaperClaim ofCore(double pointsPerSecond) {
        return new PaperClaim(pointsPerSecond, 1, 0);
    }

    /** Returns a claim of a multi-threaded stage, which may use the whole machine. */
    static PaperClaim ofMachine(double pointsPerSecond) {
        return new PaperClaim(pointsPerSecond, MACHINE_CORES, 0);
    }

    /** Returns a claim of one core in MB/s of messages. */
    static PaperClaim ofMegabytes(double megabytesPerSecond) {
        return new PaperClaim(megabytesPerSecond * BYTES_PER_MB / MESSAGE_BYTES, 1, megabytesPerSecond);
    }

    /** Returns the points per second of one core. */
    double perCore() {
        return pointsPerSecond / cores;
    }
}
