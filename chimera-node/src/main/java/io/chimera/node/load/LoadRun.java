package io.chimera.node.load;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

/** Runs a load with one thread per connection, and counts the sent points. */
public final class LoadRun {
    private final LoadPlan plan;
    private final PointFormat format;
    private final List<LoadWorker> workers = new CopyOnWriteArrayList<>();
    private final AtomicLong retries = new AtomicLong();
    private volatile boolean stop;
    private volatile long beginNs;
    private volatile long endNs;

    /** Creates a run without starting it. */
    public LoadRun(LoadPlan plan, PointFormat format) {
        this.plan = plan;
        this.format = format;
    }

    /** Opens a connection of the load. */
    @FunctionalInterface
    public interface TargetFactory {
        /**
         * Opens a target.
         *
         * @param number number of the connection
         * @param retries counter of retries
         */
        LoadTarget open(int number, AtomicLong retries) throws IOException;
    }

    /**
     * Result of a load.
     *
     * @param points number of sent points; over HTTP, only answered batches count
     * @param refused number of these points refused by the receiver
     * @param valueSum sum of all sent values
     * @param batches number of requests, writes or datagrams
     * @param retries number of batches sent again
     * @param bytes size of all batches, each counted once
     * @param seconds duration of the load
     */
    public record Result(
            long points, long refused, long valueSum, long batches, long retries, long bytes, double seconds) {
        /** Returns the result as a map for a report. */
        public Map<String, Object> figures() {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("points_sent", points);
            figures.put("points_refused", refused);
            figures.put("value_sum", valueSum);
            figures.put("batches_sent", batches);
            figures.put("retries", retries);
            figures.put("bytes_sent", bytes);
            figures.put("run_seconds", Math.round(seconds * 1e3) / 1e3);
            figures.put("points_per_second", seconds == 0 ? 0 : Math.round(points / seconds));
            return figures;
        }
    }

    /**
     * Sends the whole load, or its first part if {@link #stop()} is called.
     *
     * @param connections number of connections
     * @param targets factory of the connections
     * @param startNs time stamp of the first point, nanoseconds since 1970
     * @param paced true to keep the rate, false to send at full speed
     * @throws ChimeraException when a target is unreachable or refuses everything
     */
    public Result send(int connections, TargetFactory targets, long startNs, boolean paced)
            throws InterruptedException {
        beginNs = System.nanoTime();
        ExecutorService threads = Executors.newFixedThreadPool(connections);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                LoadTarget target = targets.open(i, retries);
                LoadWorker worker = new LoadWorker(plan, format, target, i, connections);
                workers.add(worker);
                running.add(threads.submit(() -> {
                    try (target) {
                        worker.run(startNs, paced, () -> stop);
                    }
                    return null;
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        } catch (IOException e) {
            throw failure(e);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } finally {
            threads.shutdownNow();
            endNs = System.nanoTime();
        }
        return result();
    }

    /**
     * Returns the number of points in batches without an answer, in flight or failed: such points may have arrived. Any
     * thread.
     */
    public long unanswered() {
        return sum(LoadWorker::unanswered);
    }

    /** Returns the result so far, also of a failed load. Any thread. */
    public Result result() {
        long end = endNs == 0 ? System.nanoTime() : endNs;
        double seconds = beginNs == 0 ? 0 : (end - beginNs) / 1e9;
        return new Result(
                sum(LoadWorker::sent),
                sum(LoadWorker::refused),
                sum(LoadWorker::sum),
                sum(LoadWorker::batches),
                retries.get(),
                sum(LoadWorker::bytes),
                seconds);
    }

    /** Ends the load early, between two batches. */
    public void stop() {
        stop = true;
    }

    private static ChimeraException failure(Throwable cause) {
        if (cause instanceof ChimeraException typed) {
            return typed;
        }
        return new ChimeraException(
                Category.ERROR,
                "The load ended early: " + cause + ". Check that the address is an input of a running queue node.",
                cause);
    }

    private long sum(ToLongFunction<LoadWorker> part) {
        return workers.stream().mapToLong(part).sum();
    }
}
