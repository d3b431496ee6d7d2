package io.chimera.archive.query.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.query.ArchiveSettings;
import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.query.Question;
import io.chimera.archive.streamfs.store.MemoryStreamStore;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.archive.streamfs.store.StreamStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class ArchiveQueryTest {
    /** More intervals than the read-ahead of a search. */
    private static final int INTERVALS = 1_000;

    private final MemoryStreamStore memory = new MemoryStreamStore();
    private final AtomicInteger open = new AtomicInteger();
    private final Thread asking = Thread.currentThread();
    private volatile boolean failsSecond;
    private int made;
    private final StreamStore store = proxy(StreamStore.class, memory);

    /**
     * Counts open readers, and refuses the second reader of the querying thread; a search creates readers on its own
     * thread.
     */
    private <T> T proxy(Class<T> type, T of) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> call(of, method, arguments)));
    }

    private Object call(Object of, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("reader")
                && failsSecond
                && Thread.currentThread().equals(asking)
                && ++made == 2) {
            throw new OutOfMemoryError("no second reader");
        }
        if (method.getName().equals("close") && of instanceof StreamReader) {
            open.decrementAndGet();
        }
        try {
            Object result = method.invoke(of, arguments);
            if (result instanceof StreamReader reader) {
                open.incrementAndGet();
                return proxy(StreamReader.class, reader);
            }
            return result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Test
    void anErrorAtTheSecondStreamEndsTheSearchOfTheFirst() {
        List<ArchiveStream> streams = new ArrayList<>();
        for (String name : List.of("eth0", "eth1")) {
            streams.add(ArchiveStream.create(store, ArchiveStream.PACKETS, ArchiveSettings.of(name, 0)));
        }
        for (int i = 0; i < INTERVALS; i++) {
            memory.append(streams.get(0).number(), 7, new UnsafeBuffer(new byte[8]), 0, 8);
        }
        open.set(0);
        failsSecond = true;
        assertThatThrownBy(() -> new PacketQuery(store, streams, Question.parse("", 0)))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(open).hasValue(0);
    }
}
