package io.chimera.faults.chaos.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Resident memory of the processes, at the beginning and the end of the load and at its maximum. One thread. */
public final class MemoryWatch {
    private static final String RESIDENT = "VmRSS:";

    private final ChaosCluster cluster;
    private final Map<String, Use> uses = new LinkedHashMap<>();

    /**
     * Memory of a host's process.
     *
     * @param startBytes first measurement
     * @param endBytes last measurement; of another process if the first was killed
     * @param maxBytes maximum of all measurements
     */
    public record Use(long startBytes, long endBytes, long maxBytes) {
        Use with(long bytes) {
            return new Use(startBytes, bytes, Math.max(maxBytes, bytes));
        }
    }

    /** Creates a watch of a running cluster. */
    public MemoryWatch(ChaosCluster cluster) {
        this.cluster = cluster;
    }

    /** Measures once. */
    public void look() {
        for (Role role : Role.values()) {
            for (String host : cluster.hosts(role)) {
                long bytes =
                        residentBytes(Path.of("/proc/" + cluster.process(host).pid() + "/status"));
                if (bytes > 0) {
                    uses.merge(host, new Use(bytes, bytes, bytes), (use, ignored) -> use.with(bytes));
                }
            }
        }
    }

    /** Returns the measurements by host. */
    public Map<String, Use> uses() {
        return uses;
    }

    /** Returns the resident memory; 0 after the end of the process. */
    static long residentBytes(Path status) {
        try {
            for (String line : Files.readAllLines(status)) {
                if (line.startsWith(RESIDENT)) {
                    return Long.parseLong(line.replaceAll("\\D", "")) << 10;
                }
            }
            return 0;
        } catch (IOException e) {
            return 0;
        }
    }
}
