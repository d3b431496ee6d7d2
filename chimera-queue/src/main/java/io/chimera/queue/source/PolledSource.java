package io.chimera.queue.source;

import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.Source;
import io.chimera.common.agent.AgentThreads;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.plugin.PluginFailure;
import io.chimera.common.plugin.PluginGuard;
import io.chimera.common.plugin.Watch;
import io.chimera.common.ring.Slot;
import io.chimera.common.wire.BatchLayout;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/**
 * Runs a source plugin on a dedicated thread: polls the plugin, writes the points to the ring, and confirms journaled
 * points. A failed instance is closed and replaced, until the plugin is quarantined.
 */
public final class PolledSource implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
    private static final Duration RING_LOOK = Duration.ofMillis(1);
    private static final long CLOSE_MS_MAX = 2_000;

    private final InputContext inlet;
    private final PluginGuard fence;
    private final Supplier<Source> maker;
    private final PluginContext context;
    private final Thread thread;
    private final SourcePoints points;
    private Watch watch;
    private Batches batches;
    private volatile boolean isClosed;

    /**
     * Creates a stopped source.
     *
     * @param inlet the input
     * @param fence fence of the plugin
     * @param maker creates instances of the plugin
     * @param context name and settings of the input
     */
    public PolledSource(InputContext inlet, PluginGuard fence, Supplier<Source> maker, PluginContext context) {
        this.inlet = inlet;
        this.fence = fence;
        this.maker = maker;
        this.context = context;
        points = new SourcePoints(inlet.ordinal(), this::onFull);
        thread = new Thread(this::run, "source-" + context.name());
        thread.setDaemon(true); // a blocked plugin must not delay the node's shutdown
    }

    /** Tracks the batches of a poll up to the journal. */
    private static final class Batches extends Delivery {
        private final CompletableFuture<String> done = new CompletableFuture<>();

        @Override
        void done(String reason) {
            done.complete(reason == null ? "" : reason);
        }
    }

    @FunctionalInterface
    private interface Call {
        boolean make() throws Exception;
    }

    /** Starts polling. */
    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!isClosed && !fence.isQuarantined()) {
                live();
                if (!isClosed) {
                    AgentThreads.sleep(PAUSE_AFTER_FAILURE);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    /** Runs one instance until a failure or the node's shutdown. */
    private void live() throws InterruptedException {
        watch = fence.watch();
        Source source = null;
        try {
            source = maker.get();
            Source opened = source;
            call("open", () -> {
                opened.open(context);
                return true;
            });
            while (!isClosed) {
                if (!poll(opened)) {
                    AgentThreads.sleep(PAUSE);
                }
            }
        } catch (PluginFailure e) {
            inlet.counters().increment(QueueCounter.SOURCE_PLUGINS_RESTARTED);
        } finally {
            points.clear();
            close(source);
            watch.close();
        }
    }

    private void close(Source source) {
        if (source == null) {
            return;
        }
        try {
            call("close", () -> {
                source.close();
                return true;
            });
        } catch (PluginFailure e) {
            inlet.counters().increment(QueueCounter.SOURCE_PLUGINS_RESTARTED); // logged by the fence
        }
    }

    private boolean poll(Source source) throws InterruptedException {
        batches = new Batches();
        points.poll(inlet.clock().epochNs());
        boolean more = call("poll", () -> source.poll(points));
        publish();
        batches.complete();
        String refused = await(batches);
        if (!refused.isEmpty()) {
            throw fence.failed("poll", new IllegalStateException("points could not be journaled: " + refused));
        }
        call("journaled", () -> {
            source.journaled();
            return true;
        });
        return more;
    }

    private static String await(Batches batches) throws InterruptedException {
        try {
            return batches.done.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("The delivery was completed by an exception.", e);
        }
    }

    private boolean call(String name, Call call) {
        Throwable thrown = null;
        boolean result = false;
        watch.enter(name);
        try {
            result = call.make();
        } catch (Throwable e) { // any throwable is attributed to the plugin
            thrown = e;
        }
        watch.exit(thrown);
        return result;
    }

    /** Publishes during a poll; the fence does not count the wait for room against the plugin. */
    private void onFull() {
        watch.exit(null);
        try {
            publish();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The node is shutting down.", e);
        } finally {
            watch.enter("poll");
        }
    }

    private void publish() throws InterruptedException {
        if (points.count() == 0) {
            return;
        }
        long sequence = inlet.ring().tryClaim();
        while (sequence < 0) {
            inlet.counters().increment(QueueCounter.SOURCE_RING_FULL);
            AgentThreads.sleep(RING_LOOK);
            sequence = inlet.ring().tryClaim();
        }
        Slot slot = inlet.ring().slot(sequence);
        slot.buffer().putBytes(0, points.buffer(), 0, points.length());
        slot.fill(points.length(), points.count(), batches);
        batches.published();
        inlet.counters().increment(QueueCounter.SOURCE_BATCHES);
        inlet.counters().add(QueueCounter.SOURCE_RECORD_BYTES, points.length() - BatchLayout.HEADER_LENGTH);
        inlet.counters().add(QueueCounter.PARSER_POINTS, points.count());
        inlet.ring().publish(sequence);
        points.clear();
    }

    /** Requests a stop after the current poll. */
    public void stop() {
        isClosed = true;
    }

    /** Stops the source and waits briefly for the thread. */
    @Override
    public void close() {
        stop();
        try {
            thread.join(CLOSE_MS_MAX);
            thread.interrupt();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
