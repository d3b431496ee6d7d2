package io.chimera.queue.source;

import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.Source;
import io.chimera.common.agent.AgentThreads;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.plugin.Fence;
import io.chimera.common.plugin.PluginFailure;
import io.chimera.common.plugin.Watch;
import io.chimera.common.ring.Slot;
import io.chimera.common.wire.BatchLayout;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/**
 * Runs a source plugin on a thread of its own: polls it, brings its points into the ring, tells it when they are journaled. What
 * fails is closed and opened anew, until the plugin is quarantined.
 */
public final class PolledSource implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
    private static final Duration RING_LOOK = Duration.ofMillis(1);
    private static final long CLOSE_MS_MAX = 2_000;

    private final Inlet inlet;
    private final Fence fence;
    private final Supplier<Source> maker;
    private final PluginContext context;
    private final Thread thread;
    private final SourcePoints points;
    private Watch watch;
    private Batches batches;
    private volatile boolean isClosed;

    /**
     * A source that does not run yet.
     *
     * @param inlet the input
     * @param fence of the plugin
     * @param maker makes instances of the plugin
     * @param context name and settings of the input
     */
    public PolledSource(Inlet inlet, Fence fence, Supplier<Source> maker, PluginContext context) {
        this.inlet = inlet;
        this.fence = fence;
        this.maker = maker;
        this.context = context;
        points = new SourcePoints(inlet.ordinal(), this::onFull);
        thread = new Thread(this::run, "source-" + context.name());
        thread.setDaemon(true); // one that never returns must not hold up the end of the node
    }

    /** Follows the batches of a poll to the journal. */
    private static final class Batches extends Delivery {
        private final CompletableFuture<String> done = new CompletableFuture<>();

        @Override
        void done(String reason) {
            done.complete(reason == null ? "" : reason);
        }
    }

    /** A call of the plugin. */
    @FunctionalInterface
    private interface Call {
        boolean make() throws Exception;
    }

    /** Begins. */
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

    /** One instance, until it fails or the node is closed. */
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
            inlet.counters().increment(QueueCounter.SOURCE_PLUGINS_RESTARTED); // told by the fence
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
            throw fence.failed("poll", new IllegalStateException("its points could not be journaled: " + refused));
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
            throw new IllegalStateException("It is never completed by an exception.", e);
        }
    }

    private boolean call(String name, Call call) {
        Throwable thrown = null;
        boolean result = false;
        watch.enter(name);
        try {
            result = call.make();
        } catch (Throwable e) { // whatever it is, it is the plugin's
            thrown = e;
        }
        watch.exit(thrown);
        return result;
    }

    /** In the midst of a poll: the wait for room is not the plugin's. */
    private void onFull() {
        watch.exit(null);
        try {
            publish();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The node is being closed.", e);
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

    /** Lets the poll of the moment be the last one. */
    public void stop() {
        isClosed = true;
    }

    /** Stops, and waits a short while for the end. */
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
