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

/** Connections that send in parallel, each on a separate thread. Used by one thread. */
public final class HttpConnections implements AutoCloseable {
    private final List<LoadConnection> connections = new ArrayList<>();
    private final ExecutorService threads;

    /** Task of a connection. */
    @FunctionalInterface
    public interface Task {
        /** Sends, on the connection's thread. */
        void run(LoadConnection connection) throws IOException, InterruptedException;
    }

    /**
     * Opens plain-text connections.
     *
     * @param targets host:port of the servers, used in turn
     * @param count number of connections
     */
    public HttpConnections(List<String> targets, int count) throws IOException {
        this(targets, count, Optional.empty());
    }

    /**
     * Opens connections.
     *
     * @param targets host:port of the servers, used in turn
     * @param count number of connections
     * @param tls TLS context; empty for plain-text connections
     */
    public HttpConnections(List<String> targets, int count, Optional<SSLContext> tls) throws IOException {
        threads = Executors.newFixedThreadPool(count, HttpConnections::daemon);
        try {
            for (int i = 0; i < count; i++) {
                String target = targets.get(i % targets.size());
                connections.add(new LoadConnection(
                        target, () -> tls.isPresent() ? new TlsPipe(target, tls.get()) : new PlainPipe(target)));
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "http-connection");
        thread.setDaemon(true); // a failed command ends, whatever the thread waits for
        return thread;
    }

    /**
     * Runs a task on every connection; returns when all are done.
     *
     * @param patience time limit
     * @throws IOException when a task fails or the limit expires; the connections are unusable afterwards
     */
    public void run(Duration patience, Task task) throws IOException, InterruptedException {
        List<Future<?>> running = new ArrayList<>();
        for (LoadConnection connection : connections) {
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
            throw new IOException("Requests were not sent and answered within " + patience.toSeconds() + " s.", e);
        }
    }

    /**
     * Sends bodies at full speed: each connection sends its next body after the previous one is accepted.
     *
     * @param bodies number of bodies
     * @param source creates bodies by number, from 0; any thread
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
        for (LoadConnection connection : connections) {
            connection.close();
        }
    }
}
