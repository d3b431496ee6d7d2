package io.chimera.bench.cluster;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.stream.Stream;

/**
 * Processor time and memory of processes and all their descendants, as counted by the kernel. An ended process counts
 * 0.
 */
public final class ProcessUsage {
    /** Unit of processor time in /proc: hundredths of a second, whatever the kernel's internal unit. */
    private static final double TICKS_PER_S = 100;

    /** Fields of /proc/pid/stat after the name in parentheses: utime stime cutime cstime. */
    private static final int FIRST = 11;

    private static final int COUNT = 4;

    /** The first of these fields: utime stime, without ended children. */
    private static final int OWN_COUNT = 2;

    private static final int BYTES_PER_KB = 1024;

    private ProcessUsage() {}

    /** Returns the processor time in seconds, in kernel and user mode. */
    public static double cpuSeconds(Collection<Long> pids) {
        return tree(pids).mapToLong(pid -> ticks(text(pid, "stat"))).sum() / TICKS_PER_S;
    }

    /** Returns the bytes of main memory, without shared memory such as the input file. */
    public static long residentBytes(Collection<Long> pids) {
        return tree(pids).mapToLong(pid -> resident(text(pid, "status"))).sum();
    }

    /** Returns the processor time in seconds of the threads of processes whose names contain a text. */
    public static double cpuSecondsOfThreads(Collection<Long> pids, String name) throws IOException {
        long ticks = 0;
        for (long pid : pids) {
            Path threads = Path.of("/proc", Long.toString(pid), "task");
            try (Stream<Path> all = Files.list(threads)) {
                ticks += all.map(thread -> text(pid, "task/" + thread.getFileName() + "/stat"))
                        .filter(stat -> stat.contains(name))
                        .mapToLong(stat -> ticks(stat, OWN_COUNT))
                        .sum();
            }
        }
        return ticks / TICKS_PER_S;
    }

    private static Stream<Long> tree(Collection<Long> pids) {
        return pids.stream()
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                .map(ProcessHandle::pid)
                .distinct();
    }

    private static String text(long pid, String file) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), file), ISO_8859_1);
        } catch (IOException e) {
            return ""; // the process has just ended
        }
    }

    static long ticks(String stat) {
        return ticks(stat, COUNT);
    }

    private static long ticks(String stat, int count) {
        int name = stat.lastIndexOf(')');
        return name < 0
                ? 0
                : Stream.of(stat.substring(name + 2).strip().split(" ", -1))
                        .skip(FIRST)
                        .limit(count)
                        .mapToLong(Long::parseLong)
                        .sum();
    }

    static long resident(String status) {
        return status.lines()
                .filter(line -> line.startsWith("RssAnon:") || line.startsWith("RssFile:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * BYTES_PER_KB)
                .sum();
    }
}
