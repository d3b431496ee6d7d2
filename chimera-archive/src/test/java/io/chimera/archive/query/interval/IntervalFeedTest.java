package io.chimera.archive.query.interval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.index.Index;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.query.key.PacketKeys;
import io.chimera.archive.streamfs.store.MemoryStreamStore;
import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.error.ChimeraException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The answer of an incomplete search never looks complete. */
final class IntervalFeedTest {
    private final MemoryStreamStore memory = new MemoryStreamStore();
    private volatile Throwable failure;
    private final Thread asking = Thread.currentThread();
    /** Readers created on this thread; the search creates readers on its own thread. */
    private final AtomicInteger readers = new AtomicInteger();

    private StreamStore store;
    private int data;
    private Index index;

    @BeforeEach
    void open() {
        store = (StreamStore) Proxy.newProxyInstance(
                StreamStore.class.getClassLoader(), new Class<?>[] {StreamStore.class}, (proxy, method, arguments) -> {
                    if (failure != null && method.getName().equals("appended")) {
                        throw failure;
                    }
                    if (method.getName().equals("reader")
                            && Thread.currentThread().equals(asking)) {
                        readers.incrementAndGet();
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        data = store.open(new StreamSettings("data", "packets", 0));
        int indexStream = store.open(new StreamSettings("data.index", "index", 0));
        store.append(data, 7, new UnsafeBuffer(new byte[8]), 0, 8);
        index = Index.open(store, data, indexStream, IndexSettings.of(PacketKeys.keys()));
    }

    private IntervalFeed feed() {
        return new IntervalFeed(index, Probe.all(), Long.MIN_VALUE, Long.MAX_VALUE, "data", new SystemClock());
    }

    @Test
    void endsAfterTheLastInterval() {
        try (IntervalFeed feed = feed()) {
            assertThat(feed.next().number()).isOne();
            assertThat(feed.next()).isNull();
            assertThat(feed.next()).isNull();
        }
    }

    @Test
    void tellsHowLongItHasWorkedBeforeItsEnd() {
        for (int i = 0; i < 1000; i++) {
            store.append(data, 7, new UnsafeBuffer(new byte[8]), 0, 8);
        }
        try (IntervalFeed feed = feed()) {
            feed.next();
            assertThat(feed.searchNs()).isPositive();
        }
    }

    @Test
    void readsAFewBatchesAtATime() {
        for (int i = 0; i < 20_000; i++) {
            store.append(data, 7, new UnsafeBuffer(new byte[8]), 0, 8);
        }
        try (IntervalFeed feed = feed()) {
            readers.set(0);
            try (IntervalReads reads = new IntervalReads(store, feed, new SystemClock())) {
                while (reads.next() != null) {
                    // next interval
                }
            }
            assertThat(readers).hasValueBetween(2, IntervalReads.AHEAD);
        }
    }

    @Test
    void anErrorOfTheSearchIsThrownWheneverTheNextIsAskedFor() {
        failure = new LinkageError("a class is not there");
        try (IntervalFeed feed = feed()) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(feed::next)
                        .isInstanceOf(ChimeraException.class)
                        .hasMessageContaining("incomplete")
                        .hasCause(failure);
            }
        }
    }

    @Test
    void anInterruptIsNoEnd() {
        try (IntervalFeed feed = feed()) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(feed::next).isInstanceOf(ChimeraException.class).hasMessageContaining("interrupted");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(feed.next().number()).isOne();
            assertThat(feed.next()).isNull();
        }
    }
}
