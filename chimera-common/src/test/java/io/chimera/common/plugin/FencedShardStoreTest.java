package io.chimera.common.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.chimera.api.model.CycleNumber;
import io.chimera.api.model.PipelineName;
import io.chimera.api.model.PipelinesDigest;
import io.chimera.api.model.Row;
import io.chimera.api.model.ShardIndex;
import io.chimera.api.model.SliceIndex;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.ShardStore;
import io.chimera.api.spi.ShardWrite;
import io.chimera.api.spi.Store;
import io.chimera.api.spi.StoreException;
import io.chimera.api.spi.VerifiableStore;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.config.PluginsConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.PluginCounter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Guarded stores that write shards as a whole. */
final class FencedShardStoreTest {
    private static final List<Row> ROWS = List.of(Row.ofLong("m", Tags.NONE, 1, 1));
    private static final ShardWrite SHARD = new ShardWrite(
            new CycleNumber(1),
            null,
            1,
            new PipelineName("p"),
            new ShardIndex(0, 1),
            SliceIndex.WHOLE,
            0,
            new PipelinesDigest(""));

    private final List<String> calls = new ArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Watchdog watchdog =
            new Watchdog(new SystemClock(), Duration.ofSeconds(10).toNanos());

    @AfterEach
    void close() {
        end.countDown();
        watchdog.close();
    }

    /** Store that hangs at the rows of a shard. */
    private class Hanging implements ShardStore {
        @Override
        public String name() {
            return "hanging";
        }

        @Override
        public void begin(ShardWrite shard) {
            note("begin");
        }

        @Override
        public void write(List<Row> rows) {
            note("write");
            if (!rows.isEmpty()) {
                hang();
            }
        }

        private void hang() {
            boolean isOver = false;
            while (!isOver) {
                try {
                    end.await();
                    isOver = true;
                } catch (InterruptedException e) {
                    isOver = false; // a plugin may ignore interrupts
                }
            }
        }

        @Override
        public void commit(ShardWrite shard) {
            note("commit");
        }

        @Override
        public void abort(ShardWrite shard) {
            note("abort");
        }
    }

    private void note(String call) {
        synchronized (calls) {
            calls.add(call);
        }
    }

    private Store fenced(Store store, Duration timeout) {
        PluginGuard fence = new PluginGuard(
                new Provided<>(
                        Store.class,
                        store.name(),
                        store.settings(),
                        new PluginOrigin("good", "1.0", "/plugins/good", "0123456789abcdef"),
                        () -> store),
                Sections.of(PluginsConfig.class),
                new Counters<>(PluginCounter.class),
                error -> {},
                watchdog);
        return FencedStore.of(fence, () -> store, new PluginContext("s", Map.of()), timeout);
    }

    @Test
    void keepsTheKindsOfAStore() {
        Duration timeout = Duration.ofSeconds(30);
        Store shards = fenced(new Hanging(), timeout);
        assertThat(shards).isInstanceOf(ShardStore.class).isNotInstanceOf(VerifiableStore.class);

        class Both extends Hanging implements VerifiableStore {
            @Override
            public List<Row> read(List<Row> written) {
                return written;
            }
        }
        assertThat(fenced(new Both(), timeout)).isInstanceOf(ShardStore.class).isInstanceOf(VerifiableStore.class);
    }

    @Test
    void passesTheCallsOfAShard() throws StoreException {
        ShardStore store = (ShardStore) fenced(new Hanging(), Duration.ofSeconds(30));
        store.begin(SHARD);
        store.write(List.of());
        store.commit(SHARD);
        store.begin(SHARD);
        store.abort(SHARD);
        store.close();

        assertThat(calls).containsExactly("begin", "write", "commit", "begin", "abort");
    }

    @Test
    void aShardBeginsAgainAfterAnAbandonedCall() throws StoreException {
        ShardStore store = (ShardStore) fenced(new Hanging(), Duration.ofMillis(100));
        store.begin(SHARD);
        assertThat(retryable(store)).isTrue();
        assertThat(retryable(store))
                .as("the new instance would take the rows for rows outside of a shard")
                .isTrue();
        assertThat(calls).containsExactly("begin", "write");
        store.abort(SHARD);
        store.begin(SHARD);

        assertThat(calls).containsExactly("begin", "write", "begin");
    }

    /** A quarantined plugin must not keep locks or a transaction of the shard. */
    @Test
    void abortsTheShardOfAQuarantinedPlugin() throws StoreException {
        ShardStore store = (ShardStore) fenced(
                new Hanging() {
                    @Override
                    public void write(List<Row> rows) {
                        throw new IllegalStateException("defect");
                    }
                },
                Duration.ofSeconds(30));
        store.begin(SHARD);
        for (int i = 0; i < Sections.of(PluginsConfig.class).failuresMax(); i++) {
            assertThat(retryable(store)).isTrue();
        }
        assertThat(catchThrowableOfType(StoreException.class, () -> store.commit(SHARD)))
                .hasMessageContaining("quarantined");
        store.abort(SHARD);

        assertThat(calls).containsExactly("begin", "abort");
        store.close();
    }

    private static boolean retryable(ShardStore store) {
        return catchThrowableOfType(StoreException.class, () -> store.write(ROWS))
                .retryable();
    }
}
