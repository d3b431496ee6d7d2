package io.chimera.archive.server;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.query.answer.PacketQuery;
import io.chimera.archive.server.volume.Volume;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.MemoryExchange;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers end at their time limit, even if a device or client blocks. */
final class AnswerTimeTest {
    private final ManualClock clock = new ManualClock();
    private final Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);
    private final CountDownLatch reading = new CountDownLatch(1);
    private final CountDownLatch answering = new CountDownLatch(1);

    @TempDir
    private Path folder;

    private Volume volume;
    private QueryService service;

    /** Creates a store with a blocking device. */
    @BeforeEach
    void record() {
        volume = RecordedVolume.in(folder, new SystemClock(), counters);
        StreamStore slow = proxy(StreamStore.class, (method, arguments) -> {
            Object result = invoke(volume.store(), method, arguments);
            return result instanceof StreamReader reader ? slow(reader) : result;
        });
        service = new QueryService(
                question -> new PacketQuery(slow, volume.streams(), question), Duration.ofMinutes(5), clock, counters);
    }

    private StreamReader slow(StreamReader reader) {
        return proxy(StreamReader.class, (method, arguments) -> {
            if (method.getName().equals("readAhead") && arguments[0] instanceof RecordHandle) {
                reading.countDown();
                answering.await();
            }
            return invoke(reader, method, arguments);
        });
    }

    /** Behaviour of a proxy's method. */
    private interface Call {
        Object of(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> call.of(method, arguments)));
    }

    private static Object invoke(Object of, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(of, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @AfterEach
    void close() {
        answering.countDown();
        service.close();
        volume.close();
    }

    @Test
    void anAnswerThatADeviceHoldsUpEndsWithItsTimeAndSaysWhy() throws InterruptedException {
        MemoryExchange exchange = new MemoryExchange("POST", QueryService.PATH)
                .with("timeout", "30s")
                .body("udp");
        AtomicInteger looks = new AtomicInteger();
        service.handle(lookedAt(exchange, looks::incrementAndGet));
        reading.await();
        clock.advance(Duration.ofSeconds(29));
        int before = looks.get();
        await().until(() -> looks.get() >= before + 3); // the first check may have begun a second earlier
        assertThat(counters.get(ArchiveCounter.QUERY_OUT_OF_TIME)).isZero();
        clock.advance(Duration.ofSeconds(1));
        await().until(() -> counters.get(ArchiveCounter.QUERY_OUT_OF_TIME) == 1);
        clock.advance(Duration.ofSeconds(5));
        await().until(() -> exchange.status() != 0);

        assertThat(exchange.status()).isEqualTo(504);
        assertThat(exchange.answer())
                .contains("time limit of 30s")
                .contains("(timeout, up to 5m)")
                .doesNotContain("--query-timeout");
        answering.countDown();
        await().until(() -> counters.get(ArchiveCounter.QUERY_FAILED) == 1);
    }

    /** Wraps a client to observe the checks of the watch thread. */
    private static HttpExchange lookedAt(MemoryExchange exchange, Runnable look) {
        return proxy(HttpExchange.class, (method, arguments) -> {
            if (method.getName().equals("isGone")) {
                look.run();
            }
            return invoke(exchange, method, arguments);
        });
    }

    @Test
    void anErrorThatMeetsOneAnswerLeavesOthersTheirTime() throws InterruptedException {
        CountDownLatch looked = new CountDownLatch(1);
        service.handle(lookedAt(new MemoryExchange("POST", QueryService.PATH).body("udp"), () -> {
            looked.countDown();
            throw new LinkageError("a class is not there");
        }));
        MemoryExchange other = new MemoryExchange("POST", QueryService.PATH)
                .with("timeout", "10s")
                .body("udp");
        service.handle(other);
        looked.await();
        clock.advance(Duration.ofSeconds(10));
        await().until(() -> counters.get(ArchiveCounter.QUERY_OUT_OF_TIME) == 1);
    }

    @Test
    void aQuestionThatWaitsForOthersUntilItsTimeIsOverIsNotAskedAnyMore() throws InterruptedException {
        for (int i = 0; i < 2; i++) {
            service.handle(new MemoryExchange("POST", QueryService.PATH).body("udp"));
        }
        reading.await();
        MemoryExchange waiting = new MemoryExchange("POST", QueryService.PATH)
                .with("timeout", "10s")
                .body("udp");
        service.handle(waiting);
        clock.advance(Duration.ofSeconds(10));
        await().until(() -> waiting.status() == 504);
        assertThat(counters.get(ArchiveCounter.QUERY_OUT_OF_TIME)).isOne();
    }

    @Test
    void aClientThatGoesAwayEndsItsAnswer() throws InterruptedException {
        MemoryExchange exchange = new MemoryExchange("POST", QueryService.PATH).body("udp");
        service.handle(exchange);
        reading.await();
        exchange.leave();
        await().until(() -> {
            clock.advance(Duration.ofSeconds(1));
            return exchange.status() != 0;
        });
        assertThat(exchange.answer()).contains("disconnected");
        answering.countDown();
        await().until(() -> counters.get(ArchiveCounter.QUERY_FAILED) == 1);
        assertThat(counters.get(ArchiveCounter.QUERY_OUT_OF_TIME)).isZero();
    }

    @Test
    void aQuestionAsksWithinItsTimeAsBefore() {
        answering.countDown();
        MemoryExchange exchange = new MemoryExchange("POST", QueryService.PATH)
                .with("format", "count")
                .body("udp");
        service.handle(exchange);
        await().until(() -> exchange.status() == 200);
        assertThat(exchange.answer()).contains("packets");
    }
}
