package io.chimera.dataset.source.http;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An HTTP server on loopback that answers as a script says, also against the protocol. One thread per connection; keeps
 * connections open unless the script ends them.
 */
public final class ScriptedServer implements AutoCloseable {
    private final ServerSocket socket;
    private final Script script;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final AtomicInteger accepted = new AtomicInteger();

    /** A request; the names of the headers are in lower case. */
    public record Request(String method, String target, Map<String, String> headers) {}

    /** Answers requests. */
    @FunctionalInterface
    public interface Script {
        /** Answers one request on its connection. */
        void answer(Request request, Wire wire) throws IOException, InterruptedException;
    }

    /** The connection of a request. */
    public final class Wire {
        private final Socket connection;
        private final OutputStream out;
        private boolean isHead;

        private Wire(Socket connection) throws IOException {
            this.connection = connection;
            this.out = connection.getOutputStream();
        }

        /** Sends a whole answer with the length of the body; the body stays away after HEAD. */
        public void answer(int status, byte[] body, String... headers) throws IOException {
            head(status, append(headers, "Content-Length: " + body.length));
            if (!isHead) {
                bytes(body);
            }
        }

        /** Sends status line and headers. */
        public void head(int status, String... headers) throws IOException {
            text("HTTP/1.1 " + status + " X\r\n" + String.join("\r\n", append(headers, "", "")));
        }

        /** Sends ASCII text. */
        public void text(String text) throws IOException {
            bytes(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        /** Sends bytes. */
        public void bytes(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
        }

        /** Sends nothing until the server is closed. */
        public void stall() throws InterruptedException {
            closing.await();
        }

        /** Returns whether the server is still open after a moment. */
        public boolean pause(long ms) throws InterruptedException {
            return !closing.await(ms, TimeUnit.MILLISECONDS);
        }

        /** Ends the connection. */
        public void close() throws IOException {
            connection.close();
        }

        /** Ends the connection by a reset. */
        public void reset() throws IOException {
            connection.setSoLinger(true, 0);
            connection.close();
        }
    }

    private ScriptedServer(String address, Script script) throws IOException {
        this.script = script;
        this.socket = new ServerSocket(0, 50, InetAddress.getByName(address));
    }

    /** Starts a server on a free port. */
    public static ScriptedServer start(Script script) {
        return start("127.0.0.1", script);
    }

    /** Starts a server on a free port of an address of loopback. */
    public static ScriptedServer start(String address, Script script) {
        try {
            ScriptedServer server = new ScriptedServer(address, script);
            daemon(server::accept);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String[] append(String[] words, String... more) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "scripted-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = socket.accept();
                accepted.incrementAndGet();
                connections.add(connection);
                daemon(() -> serve(connection));
            }
        } catch (IOException e) {
            // The server is closed.
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            Wire wire = new Wire(connection);
            InputStream in = new BufferedInputStream(connection.getInputStream());
            Request request = read(in);
            while (request != null && !connection.isClosed()) {
                requests.add(request);
                wire.isHead = request.method().equals("HEAD");
                script.answer(request, wire);
                request = connection.isClosed() ? null : read(in);
            }
        } catch (IOException | InterruptedException e) {
            // The client or the script ended the connection.
        }
    }

    private static Request read(InputStream in) throws IOException {
        String first = line(in);
        if (first == null) {
            return null;
        }
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        String[] words = first.split(" ", 3);
        return new Request(words[0], words[1], headers);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                return null;
            }
            if (b != '\r') {
                line.append((char) b);
            }
        }
        return line.toString();
    }

    /** Returns the port. */
    public int port() {
        return socket.getLocalPort();
    }

    /** Returns the address with a path. */
    public String url(String path) {
        return "http://127.0.0.1:" + port() + path;
    }

    /** Returns the requests so far. */
    public List<Request> requests() {
        return List.copyOf(requests);
    }

    /** Returns the number of connections so far. */
    public int accepted() {
        return accepted.get();
    }

    @Override
    public void close() {
        closing.countDown();
        try {
            socket.close();
            for (Socket connection : connections) {
                connection.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
