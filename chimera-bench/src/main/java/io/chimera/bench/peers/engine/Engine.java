package io.chimera.bench.peers.engine;

import io.chimera.bench.peers.job.ResultTable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** An engine that does the job, in processes of its own. One thread. */
public interface Engine extends AutoCloseable {
    /** Why the engine cannot be had on this machine; empty when it can. */
    default Optional<String> unavailable() throws InterruptedException {
        return Optional.empty();
    }

    /** Starts everything; returns when the engine is ready for points. */
    void start() throws IOException, InterruptedException;

    /** Does the job once over all points; returns when all results are where the engine puts them. */
    void pass() throws IOException, InterruptedException;

    /** The processes of the engine. Any thread. */
    List<Long> pids();

    /** The process that sends the points, where the engine does not take them from memory itself. */
    List<Long> feederPids();

    /** Ends the engine; what it came to over all passes. */
    ResultTable finish() throws IOException, InterruptedException;

    /** Ends whatever still runs. */
    @Override
    void close();
}
