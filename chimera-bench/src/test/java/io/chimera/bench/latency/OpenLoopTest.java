package io.chimera.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.chimera.bench.load.HttpConnections;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.AbstractHistogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class OpenLoopTest {
    private static final int REQUESTS = 20;
    private static final double PERIOD_NS = 1e6;
    private static final long STALL_MS = 200;

    private final AtomicInteger seen = new AtomicInteger();
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
    private final Queue<Future<?>> answers = new ConcurrentLinkedQueue<>();
    private HttpServer server;

    /** Starts a server with immediate answers, except for the first request. */
    @BeforeEach
    void startTheServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/write", exchange -> {
            exchange.getRequestBody().readAllBytes();
            long waitMs = seen.getAndIncrement() == 0 ? STALL_MS : 0;
            answers.add(threads.schedule(
                    () -> {
                        exchange.sendResponseHeaders(204, -1);
                        exchange.close();
                        return null;
                    },
                    waitMs,
                    TimeUnit.MILLISECONDS));
        });
        server.start();
    }

    @AfterEach
    void stopTheServer() {
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void requestsThatWereDueWhileAnotherStalledHaveWaitedToo() throws Exception {
        AbstractHistogram waits;
        try (HttpConnections connections =
                new HttpConnections(List.of("127.0.0.1:" + server.getAddress().getPort()), 1)) {
            waits = OpenLoop.run(connections, request -> ByteBuffer.allocate(1), REQUESTS, PERIOD_NS);
        }

        assertThat(seen).hasValue(REQUESTS);
        assertThat(waits.getTotalCount()).isEqualTo(REQUESTS);
        // the last request was due 19 ms after the first, but had to wait for the end of the stall
        assertThat(TimeUnit.NANOSECONDS.toMillis(waits.getMinValue())).isGreaterThanOrEqualTo(STALL_MS - REQUESTS - 1);
    }
}
