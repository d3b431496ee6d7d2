package io.chimera.bench.capture;

/**
 * What packets cost somebody.
 *
 * @param who did it, as figures are named
 * @param packets how many
 * @param cpuSeconds processor time of the whole process
 * @param wallSeconds time that passed
 */
record Cost(String who, long packets, double cpuSeconds, double wallSeconds) {
    double perCpuSecond() {
        return packets / cpuSeconds;
    }

    double perSecond() {
        return packets / wallSeconds;
    }

    double cpuNs() {
        return cpuSeconds * 1e9 / packets;
    }
}
