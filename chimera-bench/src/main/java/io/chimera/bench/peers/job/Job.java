package io.chimera.bench.peers.job;

import java.nio.file.Path;

/** Parameters of a peer's job. */
public final class Job {
    /** Length of a window of event time: 1,000 points of each key, as all keys report every ten seconds. */
    public static final long WINDOW_NS = 10_000_000_000_000L;

    /** Number of parallel threads or tasks of an engine. */
    public static final int PARALLELISM = Integer.getInteger("peer.parallelism", 2);

    /** Results of all sinks in this process. */
    public static final ResultTable RESULTS = new ResultTable();

    /** File with the points. */
    public static final Path INPUT = Path.of(System.getProperty("peer.input", "."));

    /** Bytes per line of the file. */
    public static final int LINE_LENGTH = Integer.getInteger("peer.line-length", 1);

    private static final Path OUTPUT = Path.of(System.getProperty("peer.output", "."));

    private Job() {}

    /** Returns the start of the window of a time. */
    public static long windowOf(long timeNs) {
        return timeNs - timeNs % WINDOW_NS;
    }

    static Path output() {
        return OUTPUT;
    }
}
