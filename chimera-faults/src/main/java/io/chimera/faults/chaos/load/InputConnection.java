package io.chimera.faults.chaos.load;

import io.chimera.faults.chaos.access.ClientAccess;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/**
 * A connection of a client to an InfluxDB input, with a single request in flight. A library's client replaces a broken
 * connection silently, and the new connection may reach another lane of the queue node, whose points have no order
 * relative to the points of the first lane. One thread.
 */
final class InputConnection implements Closeable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);
    private static final String LENGTH = "content-length:";

    /** Limit for a line and for a body; inputs answer with fewer bytes. */
    private static final int BYTES_MAX = 1 << 16;

    private final Socket socket;
    private final InputStream in;
    private final String head;

    /**
     * Answer of the input.
     *
     * @param status of HTTP
     * @param text body, for people
     */
    record Answer(int status, String text) {}

    private InputConnection(Socket socket, String head) throws IOException {
        this.socket = socket;
        this.head = head;
        in = new BufferedInputStream(socket.getInputStream());
    }

    /**
     * Connects to an input.
     *
     * @param address host:port
     * @throws IOException when nobody answers; no request was sent
     */
    static InputConnection open(ClientAccess access, String address) throws IOException {
        String head = "POST /write HTTP/1.1\r\nHost: " + address + "\r\n" + access.tokenLine() + "Content-Length: ";
        return new InputConnection(access.connect(address, CONNECT_TIMEOUT, ANSWER_TIMEOUT), head);
    }

    /**
     * Sends a batch and waits for the answer.
     *
     * @throws IOException when the connection broke or the answer is late; the fate of the batch is unknown
     */
    Answer post(byte[] batch) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes((head + batch.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        request.writeBytes(batch);
        OutputStream out = socket.getOutputStream();
        out.write(request.toByteArray());
        out.flush();
        return answer();
    }

    private Answer answer() throws IOException {
        String[] status = line().split(" ", 3);
        if (status.length < 2 || !status[1].matches("\\d{3}")) {
            throw new IOException("The answer is not HTTP.");
        }
        int length = 0;
        String header = line();
        while (!header.isEmpty()) {
            if (header.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
                length = Integer.parseInt(header.substring(LENGTH.length()).strip());
            }
            header = line();
        }
        byte[] body = in.readNBytes(Math.min(length, BYTES_MAX));
        return new Answer(Integer.parseInt(status[1]), new String(body, StandardCharsets.UTF_8));
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int read = in.read();
        while (read != '\n') {
            if (read < 0 || line.size() == BYTES_MAX) {
                throw new EOFException("The answer is incomplete.");
            }
            line.write(read);
            read = in.read();
        }
        return line.toString(StandardCharsets.US_ASCII).stripTrailing();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
