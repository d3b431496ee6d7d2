package io.chimera.node.load;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Sends the series of one connection: all series with number mod connections = own number, so that the values of a
 * series are sent in order. One thread.
 */
final class LoadWorker {
    /** Sleep interval when ahead of the rate: short enough for a smooth rate, long enough for batches. */
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Maximum number of points per batch: 5,000 lines of 60 bytes are 300 KB. */
    private static final int BATCH_POINTS_MAX = 5_000;

    private final LoadPlan plan;
    private final PointFormat format;
    private final LoadTarget target;
    private final int number;
    private final int workers;
    private final StringBuilder text = new StringBuilder();

    /** Counts of the sent batches; over HTTP, only answered batches. */
    private record Sent(long points, long refused, long sum, long batches, long bytes) {
        private static final Sent NOTHING = new Sent(0, 0, 0, 0, 0);
    }

    private volatile Sent done = Sent.NOTHING;
    private volatile long unanswered;

    /** Sum of the values in the current batch. */
    private long sum;

    /**
     * Creates a worker.
     *
     * @param number number of the connection
     * @param workers number of connections
     */
    LoadWorker(LoadPlan plan, PointFormat format, LoadTarget target, int number, int workers) {
        this.plan = plan;
        this.format = format;
        this.target = target;
        this.number = number;
        this.workers = workers;
    }

    /**
     * Sends all points of the connection.
     *
     * @param startNs time stamp of the first point, nanoseconds since 1970
     * @param paced true to keep the rate, false to send at full speed
     * @param stop checked between batches
     */
    void run(long startNs, boolean paced, BooleanSupplier stop) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        int batchMax = Math.min(BATCH_POINTS_MAX, target.batchPointsMax());
        long round = 0;
        int series = number;
        long index = number;
        int inBatch = 0;
        long points = plan.points();
        while (index < points && !stop.getAsBoolean()) {
            long dueNs = (long) (index * 1e9 / plan.rate());
            boolean ahead = paced && dueNs > System.nanoTime() - begin;
            if (ahead || inBatch == batchMax) {
                flush(inBatch);
                inBatch = 0;
                if (ahead) {
                    TimeUnit.NANOSECONDS.sleep(TICK_NS);
                    continue;
                }
            }
            long value = plan.valueOf(series, round);
            format.append(text, series, value, startNs + dueNs);
            sum += value;
            inBatch++;
            series += workers;
            if (series >= plan.series()) {
                series = number;
                round++;
            }
            index = round * plan.series() + series;
        }
        flush(inBatch);
    }

    private void flush(int points) throws IOException, InterruptedException {
        if (points == 0) {
            return;
        }
        byte[] batch = format.finish(text);
        text.setLength(0);
        unanswered = points;
        long refusedNow = target.send(batch);
        Sent before = done;
        done = new Sent(
                before.points + points,
                before.refused + refusedNow,
                before.sum + sum,
                before.batches + 1,
                before.bytes + batch.length);
        sum = 0;
        unanswered = 0;
    }

    long sent() {
        return done.points;
    }

    long sum() {
        return done.sum;
    }

    /** Returns the number of points in a batch without an answer, in flight or failed: such points may have arrived. */
    long unanswered() {
        return unanswered;
    }

    long refused() {
        return done.refused;
    }

    long batches() {
        return done.batches;
    }

    long bytes() {
        return done.bytes;
    }
}
