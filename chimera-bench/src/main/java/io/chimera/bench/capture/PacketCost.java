package io.chimera.bench.capture;

/**
 * Cost of packets for one tool.
 *
 * @param who name of the tool in figures
 * @param packets number of packets
 * @param cpuSeconds processor time of the whole process
 * @param wallSeconds wall time
 */
record PacketCost(String who, long packets, double cpuSeconds, double wallSeconds) {
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
