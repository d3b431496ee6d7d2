package io.chimera.dataset.source.xrootd;

import io.chimera.dataset.source.xrootd.wire.RequestKind;
import io.chimera.dataset.source.xrootd.wire.ServerAddress;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A server on loopback that performs handshake and login, and answers all other requests by a script. One thread per
 * connection runs the script.
 */
final class FakeXrootd implements AutoCloseable {
    static final int OK = 0;
    static final int OK_SO_FAR = 4000;
    static final int ATTENTION = 4001;
    static final int AUTH_MORE = 4002;
    static final int ERROR = 4003;
    static final int REDIRECT = 4004;
    static final int WAIT = 4005;
    static final int WAIT_FOR_ANSWER = 4006;
    static final int MANAGER = 2;
    static final int SERVER = 1;

    private final ServerSocket listening;
    private final Script script;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private volatile int protocolFlags = SERVER;
    private volatile int loginStatus = OK;
    private volatile String security = "";

    /** Answers requests. */
    @FunctionalInterface
    interface Script {
        void answer(Request request, Answers answers) throws IOException;
    }

    /** A request; the values that its kind does not have are zero or empty. */
    record Request(int streamId, RequestKind kind, int handle, long offset, int length, ByteBuffer argument) {
        String text() {
            return StandardCharsets.UTF_8.decode(argument.duplicate()).toString();
        }

        String path() {
            String text = text();
            int opaque = text.indexOf('?');
            return opaque < 0 ? text : text.substring(0, opaque);
        }
    }

    FakeXrootd(Script script) throws IOException {
        this.script = script;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    FakeXrootd asManager() {
        protocolFlags = MANAGER;
        return this;
    }

    FakeXrootd withLogin(int status, String securityText) {
        loginStatus = status;
        security = securityText;
        return this;
    }

    FakeXrootd withProtocolFlags(int flags) {
        protocolFlags = flags;
        return this;
    }

    ServerAddress address() {
        return new ServerAddress("127.0.0.1", listening.getLocalPort());
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Kind and argument of the requests after the login, in order of arrival. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    long count(RequestKind kind) {
        return requests.stream()
                .filter(request -> request.startsWith(kind + " "))
                .count();
    }

    int connections() {
        return sockets.size();
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "fake-xrootd");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listening.accept();
                sockets.add(socket);
                start(() -> serve(socket));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            Answers answers = new Answers(socket.getOutputStream(), socket);
            in.readNBytes(20);
            answers.send(0, OK, ints(0x500, 1));
            while (true) {
                Request request = read(in);
                switch (request.kind()) {
                    case PROTOCOL -> answers.send(request.streamId(), OK, ints(0x500, protocolFlags));
                    case LOGIN -> answers.send(request.streamId(), loginStatus, login());
                    default -> {
                        requests.add(request.kind() + " " + request.text());
                        script.answer(request, answers);
                    }
                }
            }
        } catch (IOException e) {
            // the client or the script closed the connection
        }
    }

    private byte[] login() {
        byte[] text = security.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(16 + text.length).position(16).put(text).array();
    }

    private static Request read(DataInputStream in) throws IOException {
        int streamId = in.readUnsignedShort();
        int code = in.readUnsignedShort();
        RequestKind kind = Arrays.stream(RequestKind.values())
                .filter(known -> known.code() == code)
                .findFirst()
                .orElseThrow();
        ByteBuffer parameters = ByteBuffer.wrap(in.readNBytes(16));
        ByteBuffer argument = ByteBuffer.wrap(in.readNBytes(in.readInt()));
        int handle = parameters.getInt(kind == RequestKind.STAT ? 12 : 0);
        return new Request(streamId, kind, handle, parameters.getLong(4), parameters.getInt(12), argument);
    }

    static byte[] ints(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Integer.BYTES);
        Arrays.stream(values).forEach(bytes::putInt);
        return bytes.array();
    }

    /** Ends the server and its connections, as a crash does. */
    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    /** Sends answers of one connection. Any thread. */
    static final class Answers {
        private final OutputStream out;
        private final Socket socket;

        Answers(OutputStream out, Socket socket) {
            this.out = out;
            this.socket = socket;
        }

        synchronized void send(int streamId, int status, byte[] body) throws IOException {
            out.write(ByteBuffer.allocate(8 + body.length)
                    .putShort((short) streamId)
                    .putShort((short) status)
                    .putInt(body.length)
                    .put(body)
                    .array());
        }

        void ok(Request request, byte[] body) throws IOException {
            send(request.streamId(), OK, body);
        }

        void ok(Request request, String text) throws IOException {
            ok(request, (text + "\0").getBytes(StandardCharsets.UTF_8));
        }

        void soFar(Request request, byte[] body) throws IOException {
            send(request.streamId(), OK_SO_FAR, body);
        }

        void error(Request request, int code, String text) throws IOException {
            send(request.streamId(), ERROR, numbered(code, text));
        }

        void pause(Request request, int seconds) throws IOException {
            send(request.streamId(), WAIT, numbered(seconds, "busy"));
        }

        void redirect(Request request, ServerAddress target, String opaque) throws IOException {
            String text = target.host() + (opaque.isEmpty() ? "" : "?" + opaque);
            send(request.streamId(), REDIRECT, numbered(target.port(), text));
        }

        /** Sends an answer inside a message. */
        void late(Request request, int status, byte[] body) throws IOException {
            send(
                    0,
                    ATTENTION,
                    ByteBuffer.allocate(16 + body.length)
                            .putInt(5008)
                            .putInt(0)
                            .putShort((short) request.streamId())
                            .putShort((short) status)
                            .putInt(body.length)
                            .put(body)
                            .array());
        }

        synchronized void raw(byte[] bytes) throws IOException {
            out.write(bytes);
        }

        void close() throws IOException {
            socket.close();
        }

        private static byte[] numbered(int number, String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.allocate(4 + bytes.length)
                    .putInt(number)
                    .put(bytes)
                    .array();
        }
    }
}
