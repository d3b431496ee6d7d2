package io.chimera.bench.peers.feed;

import io.chimera.bench.peers.job.Job;
import io.chimera.bench.peers.job.Peer;
import io.chimera.bench.peers.job.PointInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends the points as bodies of HTTP requests and waits for the answer to each: a client that loses nothing. Several
 * connections share the points in order, so that the server is never without work while an answer is on its way.
 */
public final class HttpFeeder implements Peer {
    /** Lines of a body: 1.0 MB of 346-byte lines, as agents are told to batch. */
    private static final int BODY_LINES = 3_000;

    /**
     * A journal that is synced every 100 ms answers ten times a second: 16 x 3,000 lines x 10 are 480,000 points a second. With
     * four the engine would wait for the client, not the other way round.
     */
    private static final int CONNECTIONS = 16;

    private final List<HttpConnection> connections = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
    private PointInput input;

    private HttpFeeder() {}

    /** Runs until it is told to end. Property {@code feed.targets}: host:port, several with commas. */
    public static void main(String[] arguments) throws Exception {
        Peer.main(new HttpFeeder());
    }

    @Override
    public void open() throws IOException {
        input = PointInput.open(Job.INPUT, Job.LINE_LENGTH);
        String[] targets = System.getProperty("feed.targets", "").split(",", -1);
        for (int i = 0; i < CONNECTIONS; i++) {
            connections.add(new HttpConnection(targets[i % targets.length]));
        }
    }

    @Override
    public void pass() throws Exception {
        AtomicInteger next = new AtomicInteger();
        List<Future<?>> running = new ArrayList<>();
        for (HttpConnection connection : connections) {
            running.add(threads.submit(() -> {
                send(connection, next);
                return null;
            }));
        }
        for (Future<?> connection : running) {
            connection.get();
        }
    }

    private void send(HttpConnection connection, AtomicInteger next) throws IOException, InterruptedException {
        for (int first = next.getAndAdd(BODY_LINES); first < input.points(); first = next.getAndAdd(BODY_LINES)) {
            connection.post(input.lines(first, Math.min(BODY_LINES, input.points() - first)));
        }
    }

    @Override
    public void close() throws IOException {
        threads.shutdown();
        for (HttpConnection connection : connections) {
            connection.close();
        }
    }
}
