package io.chimera.coordinator;

import io.chimera.common.channel.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;

/** Relays bytes between a node and a server until frozen: then both sides wait, as for a stopped node. */
final class Relay implements AutoCloseable {
    private final ServerSocket listening;
    private final Endpoint target;
    private volatile CountDownLatch flowing = new CountDownLatch(0);

    Relay(Endpoint target) {
        this.target = target;
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    Endpoint address() {
        return new Endpoint("127.0.0.1", listening.getLocalPort());
    }

    void freeze() {
        flowing = new CountDownLatch(1);
    }

    void thaw() {
        flowing.countDown();
    }

    private void accept() throws IOException {
        while (!listening.isClosed()) {
            Socket near = listening.accept();
            Socket far = new Socket(InetAddress.getLoopbackAddress(), target.port());
            start(() -> pump(near, far));
            start(() -> pump(far, near));
        }
    }

    private void pump(Socket from, Socket to) throws IOException, InterruptedException {
        byte[] buffer = new byte[65_536];
        try (from;
                to) {
            for (int length = from.getInputStream().read(buffer);
                    length >= 0;
                    length = from.getInputStream().read(buffer)) {
                flowing.await();
                to.getOutputStream().write(buffer, 0, length);
            }
        }
    }

    private static void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException | InterruptedException e) {
                        // the connection has ended
                    }
                },
                "relay");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        thaw();
        listening.close();
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }
}
