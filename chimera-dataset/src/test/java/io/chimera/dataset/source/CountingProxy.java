package io.chimera.dataset.source;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.CloseHelper;

/** Forwards TCP connections of loopback to a server, and counts the bytes of its answers. */
public final class CountingProxy implements AutoCloseable {
    private static final int BUFFER = 1 << 16;

    private final ServerSocket listener;
    private final int serverPort;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicLong answered = new AtomicLong();

    /**
     * Begins to listen.
     *
     * @param serverPort port of the server on loopback
     */
    public CountingProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "counting-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns the port for clients. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Returns the number of bytes of all answers since the last call. */
    public long takeAnswered() {
        return answered.getAndSet(0);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = opened(listener.accept());
                Socket server = opened(new Socket(InetAddress.getLoopbackAddress(), serverPort));
                start(() -> forward(client, server, new AtomicLong()));
                start(() -> forward(server, client, answered));
            } catch (IOException e) {
                // closed, or the server is away
            }
        }
    }

    private Socket opened(Socket socket) {
        sockets.add(socket);
        return socket;
    }

    /** Forwards one direction; its end is the end of the connection. The bytes are counted before they are sent. */
    private void forward(Socket from, Socket to, AtomicLong count) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER];
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                count.addAndGet(length);
                out.write(buffer, 0, length);
            }
        } catch (IOException e) {
            // one side has closed the connection
        } finally {
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        CloseHelper.quietCloseAll(sockets);
    }
}
