package io.chimera.bench.paper.disk;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.chimera.bench.cluster.ProcessUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Peaks of memory during a measurement.
 *
 * @param residentBytes memory of the queue node, with the resident pages of its files
 * @param dirtyBytes pages of the machine that wait for a disk
 */
public record MemoryPeak(long residentBytes, long dirtyBytes) {
    private static final Path MEMORY = Path.of("/proc/meminfo");
    private static final long BYTES_PER_KB = 1024;

    /** Returns the current values. */
    static MemoryPeak now(long pid) throws IOException {
        return new MemoryPeak(ProcessUsage.residentBytes(List.of(pid)), dirtyBytes(Files.readString(MEMORY, US_ASCII)));
    }

    static long dirtyBytes(String memory) {
        return memory.lines()
                .filter(line -> line.startsWith("Dirty:") || line.startsWith("Writeback:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * BYTES_PER_KB)
                .sum();
    }

    /** Returns the higher value of each. */
    MemoryPeak or(MemoryPeak other) {
        return new MemoryPeak(Math.max(residentBytes, other.residentBytes), Math.max(dirtyBytes, other.dirtyBytes));
    }
}
