package io.chimera.bench.load;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;

/** Connections that send side by side, each on a thread of its own. Led by one thread. */
public final class HttpConnections implements AutoCloseable {
    private final List<HttpConnection> connections = new ArrayList<>();
    private final ExecutorService threads;

    /** What a connection does. */
    @FunctionalInterface
    public interface Task {
        /** Sends. The connection's thread. */
        void run(HttpConnection connection) throws IOException, InterruptedException;
    }

    /**
     * Opens connections.
     *
     * @param targets host:port of the servers, which take turns
     * @param count number of connections
     */
    public HttpConnections(List<String> targets, int count) throws IOException {
        this(targets, count, Optional.empty());
    }

    /**
     * Opens connections.
     *
     * @param targets host:port of the servers, which take turns
     * @param count number of connections
     * @param tls for connections with TLS; empty: in the clear
     */
    public HttpConnections(List<String> targets, int count, Optional<SSLContext> tls) throws IOException {
        threads = Executors.newFixedThreadPool(count, HttpConnections::daemon);
        try {
            for (int i = 0; i < count; i++) {
                String target = targets.get(i % targets.size());
                connections.add(new HttpConnection(
                        target, tls.isPresent() ? new TlsPipe(target, tls.get()) : new PlainPipe(target)));
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "http-connection");
        thread.setDaemon(true); // a command that failed ends, whatever it waits for
        return thread;
    }

    /**
     * Does a task on every connection; returns when all are done.
     *
     * @param patience how long that may take
     * @throws IOException when one fails, or it takes longer; the connections are of no more use then
     */
    public void run(Duration patience, Task task) throws IOException, InterruptedException {
        List<Future<?>> running = new ArrayList<>();
        for (HttpConnection connection : connections) {
            running.add(threads.submit(() -> {
                task.run(connection);
                return null;
            }));
        }
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            for (Future<?> one : running) {
                one.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (ExecutionException e) {
            threads.shutdownNow();
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } catch (TimeoutException e) {
            threads.shutdownNow();
            throw new IOException("Not everything was sent and answered within " + patience.toSeconds() + " s.", e);
        }
    }

    /**
     * Sends bodies, the next on each connection when its last is accepted: as fast as they are taken.
     *
     * @param bodies how many
     * @param source makes them, by their number from 0 on; any thread
     */
    public void sendAll(Duration patience, long bodies, BodySource source) throws IOException, InterruptedException {
        AtomicLong next = new AtomicLong();
        run(patience, connection -> {
            for (long body = next.getAndIncrement(); body < bodies; body = next.getAndIncrement()) {
                connection.post(source.body(body));
            }
        });
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        for (HttpConnection connection : connections) {
            connection.close();
        }
    }
}
