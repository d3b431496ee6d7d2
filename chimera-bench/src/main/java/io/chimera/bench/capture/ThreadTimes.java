package io.chimera.bench.capture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Processor time of the current threads of a process, with the nanosecond resolution of the Linux scheduler. */
public final class ThreadTimes {
    private static final double NS_PER_S = 1e9;

    private ThreadTimes() {}

    /** Returns the processor time of a running process, in kernel and user mode. */
    public static double cpuSeconds(long pid) throws IOException {
        long ns = 0;
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path thread : threads.toList()) {
                ns += ns(thread.resolve("schedstat"));
            }
        }
        return ns / NS_PER_S;
    }

    private static long ns(Path statistics) {
        try {
            String text = Files.readString(statistics, ISO_8859_1);
            return Long.parseLong(text.substring(0, text.indexOf(' ')));
        } catch (IOException e) {
            return 0; // the thread has just ended
        }
    }
}
