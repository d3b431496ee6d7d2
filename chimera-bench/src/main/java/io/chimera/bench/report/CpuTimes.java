package io.chimera.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The kernel's processor time since the start of the machine, in ticks.
 *
 * @param total time of all processors, including idle time
 * @param busy time without idle time
 * @param own time of this process and of its ended children
 */
public record CpuTimes(long total, long busy, long own) {
    /** Fields of the first line of /proc/stat: user nice system idle iowait irq softirq steal. */
    private static final int COUNTED = 8;

    private static final int IDLE = 3;
    private static final int IO_WAIT = 4;

    /** Fields of /proc/self/stat after the name in parentheses: utime stime cutime cstime. */
    private static final int OWN_FIRST = 11;

    private static final int OWN_COUNT = 4;

    /** Returns the current times; null on other kernels than Linux. */
    public static CpuTimes read() {
        try {
            String all = Files.readString(Path.of("/proc/stat"), UTF_8);
            String self = Files.readString(Path.of("/proc/self/stat"), UTF_8);
            return parse(all, self);
        } catch (IOException e) {
            return null;
        }
    }

    static CpuTimes parse(String all, String self) {
        List<String> line = List.of(all.lines().findFirst().orElse("").split(" +", -1));
        long[] ticks =
                line.subList(1, 1 + COUNTED).stream().mapToLong(Long::parseLong).toArray();
        long total = Arrays.stream(ticks).sum();
        List<String> fields = List.of(self.substring(self.lastIndexOf(')') + 2).split(" ", -1));
        long own = fields.subList(OWN_FIRST, OWN_FIRST + OWN_COUNT).stream()
                .mapToLong(Long::parseLong)
                .sum();
        return new CpuTimes(total, total - ticks[IDLE] - ticks[IO_WAIT], own);
    }

    /** Returns the share of all processors used by other processes since an earlier time, 0 to 1. */
    double othersSince(CpuTimes earlier) {
        long passed = total - earlier.total;
        long others = busy - earlier.busy - (own - earlier.own);
        return passed <= 0 ? 0 : Math.min(1, Math.max(0, (double) others / passed));
    }

    /** Returns the share of all processors in use since an earlier time, 0 to 1. */
    public double busySince(CpuTimes earlier) {
        return (double) (busy - earlier.busy) / Math.max(1, total - earlier.total);
    }

    /** Returns the name of the processor, or the architecture if the name is unknown. */
    static String model() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo"), UTF_8).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }
}
