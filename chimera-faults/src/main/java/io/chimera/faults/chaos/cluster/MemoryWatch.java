package io.chimera.faults.chaos.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Resident memory of the processes, at the begin and the end of the load and at most. One thread. */
public final class MemoryWatch {
    private static final String RESIDENT = "VmRSS:";

    private final ChaosCluster cluster;
    private final Map<String, Use> uses = new LinkedHashMap<>();

    /**
     * Memory of a host's process.
     *
     * @param startBytes when it was looked at first
     * @param endBytes when it was looked at last; of another process where the first was killed
     * @param maxBytes the most that was seen
     */
    public record Use(long startBytes, long endBytes, long maxBytes) {
        Use with(long bytes) {
            return new Use(startBytes, bytes, Math.max(maxBytes, bytes));
        }
    }

    /** A watch over a cluster that runs. */
    public MemoryWatch(ChaosCluster cluster) {
        this.cluster = cluster;
    }

    /** Looks once. */
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

    /** What was seen, by host. */
    public Map<String, Use> uses() {
        return uses;
    }

    /** 0 when the process is gone. */
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
