package io.chimera.dataset.sample;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads of the objects of a data set, from the first object on; after the last byte again from the begin. {@link #read}
 * by one thread; each range has a thread of its own.
 */
final class SourceReads implements RangeReads, AutoCloseable {
    private final DataSource source;
    private final List<DataObject> objects;
    private final Clock clock;
    private final ProcessorTime processorTime;
    private final ExecutorService threads;
    private int object;
    private long offset;

    /** A received range: its length, and the processor time of its thread. */
    private record Received(int bytes, long processorNs) {}

    /**
     * Creates reads; makes no request.
     *
     * @param source the source; not owned
     * @param objects objects with at least one byte each, at least one
     * @param clock time of the reads
     * @param processorTime processor time of the reading threads
     */
    SourceReads(DataSource source, List<DataObject> objects, Clock clock, ProcessorTime processorTime) {
        this.source = source;
        this.objects = List.copyOf(objects);
        this.clock = clock;
        this.processorTime = processorTime;
        threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "sample");
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public String place() {
        return source.place();
    }

    @Override
    public ReadRound read(int connections, int length, Duration timeMax) throws IOException {
        long startNs = clock.nanoTime();
        List<Future<Received>> ranges = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            ranges.add(request(length));
        }
        try {
            int whole = 0;
            long bytes = 0;
            long processorNs = 0;
            for (Future<Received> range : ranges) {
                long leftNs = timeMax.toNanos() - (clock.nanoTime() - startNs);
                Received received = await(range, leftNs);
                whole += received.bytes() > 0 ? 1 : 0;
                bytes += received.bytes();
                processorNs += received.processorNs();
            }
            return new ReadRound(whole, bytes, clock.nanoTime() - startNs, processorNs);
        } finally {
            ranges.forEach(range -> range.cancel(true));
        }
    }

    /** Requests the next range; a range ends at the end of its object. */
    private Future<Received> request(int length) {
        DataObject from = objects.get(object);
        long at = offset;
        int bytes = (int) Math.min(length, from.length() - at);
        offset += bytes;
        if (offset == from.length()) {
            offset = 0;
            object = (object + 1) % objects.size();
        }
        return threads.submit(() -> {
            long beforeNs = processorTime.ofThisThreadNs();
            source.read(from, at, ByteBuffer.allocate(bytes));
            return new Received(bytes, processorTime.ofThisThreadNs() - beforeNs);
        });
    }

    private static Received await(Future<Received> range, long timeNs) throws IOException {
        try {
            return range.get(Math.max(0, timeNs), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | CancellationException e) {
            return new Received(0, 0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the source was sampled");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException fault) {
                throw fault;
            }
            throw new IOException("a range could not be received", e.getCause());
        }
    }

    /** Gives up all reads. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
