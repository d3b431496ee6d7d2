package io.chimera.dataset.sample;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.compute.JobPipeline;
import io.chimera.dataset.compute.SplitFold;
import io.chimera.dataset.format.EventFormat;
import io.chimera.dataset.format.EventReader;
import io.chimera.dataset.format.ObjectBytes;
import io.chimera.dataset.job.JobSettings;
import io.chimera.dataset.job.Split;
import io.chimera.dataset.meter.WorkerMeter;
import io.chimera.processor.staging.warehouse.ChunkPool;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * The computation of a job over the begin of a split, in memory: format, pipelines and pieces as in the job; the pieces
 * are dropped. {@link #load} reads the bytes; then each core repeats the same passes. One thread calls.
 */
final class SampledComputation implements CoreLoad, AutoCloseable {
    /** Time for the threads to end. A pass ends after each read of the format. */
    private static final Duration END = Duration.ofSeconds(5);

    private final EventFormat format;
    private final Supplier<List<JobPipeline>> pipelines;
    private final JobSettings settings;
    private final Split split;
    private final CachedBytes bytes;
    private final Clock clock;
    private final WorkerMeter meter;
    private final ExecutorService threads;
    private final List<Future<?>> running = new ArrayList<>();
    private final LongAdder events = new LongAdder();
    private long readsOfPass;
    private long eventsOfLoad;
    private double bytesPerEvent;
    private volatile boolean isClosing;

    /**
     * Creates the computation of a split; reads nothing yet.
     *
     * @param format format of the split
     * @param pipelines makes the pipelines of a thread
     * @param settings settings of the job; the workers are the cores
     * @param split the split
     * @param origin bytes of the object of the split; not owned
     * @param clock time of the reading
     */
    SampledComputation(
            EventFormat format,
            Supplier<List<JobPipeline>> pipelines,
            JobSettings settings,
            Split split,
            ObjectBytes origin,
            Clock clock) {
        this.format = format;
        this.pipelines = pipelines;
        this.settings = settings;
        this.split = split;
        this.clock = clock;
        meter = new WorkerMeter(clock);
        bytes = new CachedBytes(meter.begin(origin, split.range()));
        threads = Executors.newFixedThreadPool(settings.workers(), task -> {
            Thread thread = new Thread(task, "sample-compute");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Reads the sample from the source: the begin of the split, up to a number of bytes or a time.
     *
     * @param bytesMax bytes after which the sample ends
     * @param timeMax time after which the sample ends
     * @throws IOException when the split cannot be read, or has no event
     */
    void load(long bytesMax, Duration timeMax) throws IOException {
        long startNs = clock.nanoTime();
        long[] counted = new long[2];
        boolean isWhole = pass((reads, eventsOfPass) -> {
            counted[0] = reads;
            counted[1] = eventsOfPass;
            return bytes.bytes() < bytesMax && clock.nanoTime() - startNs < timeMax.toNanos();
        });
        readsOfPass = counted[0];
        eventsOfLoad = counted[1];
        meter.end(split.range(), eventsOfLoad);
        if (counted[1] == 0) {
            throw new IOException("the sample of " + split + " has no event within " + bytes.bytes()
                    + " bytes; check the format of the job");
        }
        bytesPerEvent = (isWhole ? split.range().length() : bytes.bytes()) / (double) counted[1];
    }

    /**
     * Returns the time that the first pass of the process lost: its time without the wait for bytes, and without the
     * time that its events take at a rate.
     *
     * @param eventsPerSecond rate of a core
     */
    double warmUpSeconds(double eventsPerSecond) {
        return Math.max(0, meter.totals().computingNs() / 1e9 - eventsOfLoad / eventsPerSecond);
    }

    /** Returns the bytes of the sample. */
    long bytes() {
        return bytes.bytes();
    }

    /** Decides after each read of the format. */
    @FunctionalInterface
    private interface Continuation {
        boolean goesOn(long reads, long eventsOfPass);
    }

    /** Computes the sample once, on the calling thread; returns whether the split was read to its end. */
    private boolean pass(Continuation continuation) throws IOException {
        try (ChunkPool pool = new ChunkPool(false, settings.bytesPerWorker(), Integer.MAX_VALUE);
                EventReader reader = format.open(bytes, split.range())) {
            SplitFold fold = new SplitFold(
                    pipelines.get(),
                    settings.windows(),
                    pool,
                    settings.bytesPerWorker(),
                    (pipeline, startNs, body, length) -> {},
                    (text, offset, length, line, reason) -> {});
            long reads = 0;
            boolean goesOn = true;
            boolean hasMore = true;
            while (goesOn && hasMore) {
                hasMore = reader.read(fold);
                fold.check();
                goesOn = continuation.goesOn(++reads, fold.accepted() + fold.rejected());
            }
            fold.finish();
            return !hasMore;
        }
    }

    @Override
    public void start() {
        for (int core = 0; core < settings.workers(); core++) {
            running.add(threads.submit(() -> {
                while (!isClosing) {
                    repeat();
                }
                return null;
            }));
        }
    }

    private void repeat() throws IOException {
        long[] counted = new long[1];
        pass((reads, eventsOfPass) -> {
            events.add(eventsOfPass - counted[0]);
            counted[0] = eventsOfPass;
            return reads < readsOfPass && !isClosing;
        });
    }

    @Override
    public long events() {
        return events.sum();
    }

    @Override
    public void check() throws IOException {
        for (Future<?> core : running) {
            if (core.isDone()) {
                try {
                    core.get();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } catch (ExecutionException e) {
                    throw new IOException("the sample of " + split + " cannot be computed: " + e.getMessage(), e);
                }
            }
        }
    }

    @Override
    public int cores() {
        return settings.workers();
    }

    @Override
    public double bytesPerEvent() {
        return bytesPerEvent;
    }

    @Override
    public void stop() {
        isClosing = true;
        threads.shutdownNow();
        try {
            threads.awaitTermination(END.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        stop();
    }
}
