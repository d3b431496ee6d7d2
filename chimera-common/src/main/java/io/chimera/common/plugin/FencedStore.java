package io.chimera.common.plugin;

import io.chimera.api.model.Row;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.ShardStore;
import io.chimera.api.spi.Store;
import io.chimera.api.spi.StoreException;
import io.chimera.api.spi.VerifiableStore;
import io.chimera.common.config.binding.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Guarded store of a plugin, called on its own thread. A call that exceeds the timeout is abandoned together with its
 * thread and its instance, and the rows are retried with a new instance. A failure counts as an outage of the store, so
 * no row is lost; a quarantined store stays unavailable. One caller at a time.
 */
class FencedStore implements Store {
    /** Batch size before the plugin reports its own. */
    private static final int BATCH_ROWS_MAX_DEFAULT = 1_000;

    private final PluginGuard fence;
    private final Supplier<Store> maker;
    private final PluginContext context;
    private final Duration timeout;
    private Lane lane;

    FencedStore(PluginGuard fence, Supplier<Store> maker, PluginContext context, Duration timeout) {
        this.fence = fence;
        this.maker = maker;
        this.context = context;
        this.timeout = timeout;
    }

    /**
     * Creates an unopened store.
     *
     * @param maker creates instances of the plugin
     * @param context name and settings of the store
     * @param timeout time limit of a call
     */
    static Store of(PluginGuard fence, Supplier<Store> maker, PluginContext context, Duration timeout) {
        Store made = maker.get();
        if (made instanceof ShardStore) {
            return FencedShardStore.of(made instanceof VerifiableStore, fence, maker, context, timeout);
        }
        return made instanceof VerifiableStore
                ? new Verifiable(fence, maker, context, timeout)
                : new FencedStore(fence, maker, context, timeout);
    }

    /** Store with support for reading rows back. */
    private static final class Verifiable extends FencedStore implements VerifiableStore {
        Verifiable(PluginGuard fence, Supplier<Store> maker, PluginContext context, Duration timeout) {
            super(fence, maker, context, timeout);
        }

        @Override
        public List<Row> read(List<Row> written) throws StoreException {
            return readBack(written);
        }
    }

    final List<Row> readBack(List<Row> written) throws StoreException {
        List<Row> kept = List.copyOf(written);
        return call("read", store -> ((VerifiableStore) store).read(kept));
    }

    /** Returns whether calls go to an instance; false after an abandoned call. */
    final boolean hasInstance() {
        return lane != null;
    }

    interface Call<T> {
        T on(Store store) throws StoreException;
    }

    /** Instance with its own thread; only this thread uses the instance. */
    private final class Lane {
        private final ExecutorService calls;
        private volatile Thread thread;
        private volatile int batchRowsMax = BATCH_ROWS_MAX_DEFAULT;
        private volatile Optional<Row> probeRow = Optional.empty();
        private Store store;

        Lane() {
            calls = Executors.newSingleThreadExecutor(work -> {
                thread = new Thread(work, "store-" + context.name());
                thread.setDaemon(true); // a blocked call must not delay the end of the node
                return thread;
            });
        }

        <T> Future<T> submit(Call<T> call) {
            return calls.submit(() -> {
                if (store == null) {
                    Store made = maker.get();
                    made.open(context);
                    batchRowsMax = Math.max(1, made.batchRowsMax());
                    probeRow = made.probeRow();
                    store = made;
                }
                return call.on(store);
            });
        }
    }

    /** Opens the store. After a failure the store is unavailable, and the first write opens the store. */
    @Override
    public void open(PluginContext same) {
        try {
            call("open", opened -> null);
        } catch (StoreException e) {
            assert e.retryable(); // already counted and reported by the fence
        }
    }

    @Override
    public void write(List<Row> rows) throws StoreException {
        List<Row> kept = List.copyOf(rows); // an abandoned call may still read the rows
        call("write", store -> {
            store.write(kept);
            return null;
        });
    }

    @Override
    public int batchRowsMax() {
        return lane == null ? BATCH_ROWS_MAX_DEFAULT : lane.batchRowsMax;
    }

    @Override
    public Optional<Row> probeRow() {
        return lane == null ? Optional.empty() : lane.probeRow;
    }

    @Override
    public String name() {
        return fence.plugin().name();
    }

    final <T> T call(String name, Call<T> call) throws StoreException {
        try {
            fence.check();
            return await(name, call);
        } catch (PluginFailure e) {
            throw new StoreException(e.getMessage(), true, e);
        }
    }

    private <T> T await(String name, Call<T> call) throws StoreException {
        lane = lane == null ? new Lane() : lane;
        Future<T> result = lane.submit(call);
        try {
            return result.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            giveUp(name);
            throw fence.failed(name, new TimeoutException("no answer within " + Durations.format(timeout)));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StoreException typed) {
                throw typed;
            }
            throw fence.failed(name, e.getCause());
        } catch (InterruptedException e) {
            result.cancel(true);
            Thread.currentThread().interrupt();
            throw new StoreException("The node is closing.", true, e);
        }
    }

    private void giveUp(String name) {
        fence.abandoned(name, lane.thread, timeout);
        Checkpoint.stop(lane.thread);
        lane.calls.shutdownNow(); // interrupts the thread
        lane = null;
    }

    /** Releases resources of an instance, also of a quarantined store. */
    final void release(String name, Call<Void> call) {
        try {
            await(name, call);
        } catch (StoreException | PluginFailure e) {
            assert e.getMessage() != null; // already counted and reported by the fence
        }
    }

    @Override
    public void close() {
        if (lane == null) {
            return;
        }
        Lane last = lane;
        try {
            release("close", store -> {
                store.close();
                return null;
            });
        } finally {
            last.calls.shutdownNow();
            lane = null;
        }
    }
}
