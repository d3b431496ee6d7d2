package io.chimera.bench.voip;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.chimera.apps.voip.CallPlan;
import io.chimera.apps.voip.CallSource;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Calls as lines in a file in main memory, with the same pages for every engine and client. Deleted on close. */
final class CallFile implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final CallPlan PLAN = new CallPlan(100_000, 200, 5_000, 1);

    private final Path path;

    private CallFile(Path path) {
        this.path = path;
    }

    /**
     * Writes a file.
     *
     * @param nowMs middle of the calls' times
     */
    static CallFile write(int calls, long nowMs) throws IOException {
        Path folder = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        CallFile file = new CallFile(Files.createTempFile(folder, "chimera-bench-", ".calls"));
        file.path.toFile().deleteOnExit(); // after Ctrl-C
        long halfMs = calls * 500L / PLAN.rate();
        CallSource source = new CallSource(PLAN, TimeUnit.MILLISECONDS.toNanos(nowMs - halfMs));
        StringBuilder line = new StringBuilder();
        try (Writer out = new BufferedWriter(Files.newBufferedWriter(file.path, US_ASCII), 1 << 20)) {
            for (int call = 0; call < calls; call++) {
                line.setLength(0);
                source.next(line);
                out.append(line);
            }
        }
        return file;
    }

    Path path() {
        return path;
    }

    /** Returns the numbers of the telemarketers. */
    static Set<String> telemarketers() {
        return IntStream.range(0, PLAN.telemarketers())
                .mapToObj(CallPlan::number)
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(path);
    }
}
