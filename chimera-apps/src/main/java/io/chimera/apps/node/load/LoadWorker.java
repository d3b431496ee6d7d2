package io.chimera.apps.node.load;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Sends the series of one connection: those with number mod connections = its own number, so that the values of a series
 * go out in order. One thread.
 */
final class LoadWorker {
    /** Short enough for a smooth rate, long enough for batches. */
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** 5,000 lines of 60 bytes are 300 KB. */
    private static final int BATCH_POINTS_MAX = 5_000;

    private final LoadPlan plan;
    private final PointFormat format;
    private final LoadTarget target;
    private final int number;
    private final int workers;
    private final StringBuilder text = new StringBuilder();

    private long sent;
    private long sum;
    private long refused;
    private long batches;
    private long bytes;

    /**
     * A worker.
     *
     * @param number of the connection
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
     * Sends everything.
     *
     * @param startNs time stamp of the first point, nanoseconds since 1970
     * @param paced whether to keep to the rate, or to send as fast as it is taken
     * @param stop asked between batches
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
        refused += target.send(batch);
        sent += points;
        batches++;
        bytes += batch.length;
    }

    long sent() {
        return sent;
    }

    long sum() {
        return sum;
    }

    long refused() {
        return refused;
    }

    long batches() {
        return batches;
    }

    long bytes() {
        return bytes;
    }
}
