package io.chimera.bench.peers.job;

import java.nio.file.Path;

/** What a peer is asked to do. */
public final class Job {
    /** Length of a window of event time: 1,000 points of each key, as all keys report every ten seconds. */
    public static final long WINDOW_NS = 10_000_000_000_000L;

    /** Threads or tasks that an engine may use side by side. */
    public static final int PARALLELISM = Integer.getInteger("peer.parallelism", 2);

    /** Where all sinks of this process put their results. */
    public static final ResultTable RESULTS = new ResultTable();

    /** The file with the points. */
    public static final Path INPUT = Path.of(System.getProperty("peer.input", "."));

    /** Bytes of a line of it. */
    public static final int LINE_LENGTH = Integer.getInteger("peer.line-length", 1);

    private static final Path OUTPUT = Path.of(System.getProperty("peer.output", "."));

    private Job() {}

    /** Begin of the window that a time lies in. */
    public static long windowOf(long timeNs) {
        return timeNs - timeNs % WINDOW_NS;
    }

    static Path output() {
        return OUTPUT;
    }
}
