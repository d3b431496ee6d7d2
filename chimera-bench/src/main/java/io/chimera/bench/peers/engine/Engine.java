package io.chimera.bench.peers.engine;

import io.chimera.bench.peers.job.ResultTable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Engine that performs the job in separate processes. One thread. */
public interface Engine extends AutoCloseable {
    /** Returns why the engine is not available on this machine; empty when the engine is available. */
    default Optional<String> unavailable() throws InterruptedException {
        return Optional.empty();
    }

    /** Starts all processes; returns when the engine is ready for points. */
    void start() throws IOException, InterruptedException;

    /** Performs the job once over all points; returns when all results have reached the sink. */
    void pass() throws IOException, InterruptedException;

    /** Returns the process ids of the engine. Any thread. */
    List<Long> pids();

    /** Returns the process id of the client that sends the points; empty when the engine reads them from memory. */
    List<Long> feederPids();

    /** Ends the engine; returns the results of all passes. */
    ResultTable finish() throws IOException, InterruptedException;

    /** Ends all remaining processes. */
    @Override
    void close();
}
