package io.chimera.common.channel.netty;

import io.chimera.common.agent.Waits;
import io.chimera.common.channel.Endpoint;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Socket that sends exactly the bytes of a test and reads HTTP answers. */
final class RawClient implements AutoCloseable {
    /** HTTP answer; header names in lower case. */
    record Answer(int status, Map<String, String> headers, String body) {}

    private final Socket socket;
    private final InputStream in;

    RawClient(Endpoint address) throws IOException {
        this(address, 0);
    }

    /** Connects with a small receive buffer, so a non-reading client is soon detected; 0 for the system's size. */
    RawClient(Endpoint address, int receiveBufferBytes) throws IOException {
        socket = new Socket();
        if (receiveBufferBytes > 0) {
            socket.setReceiveBufferSize(receiveBufferBytes);
        }
        socket.connect(new InetSocketAddress(address.host(), address.port()));
        socket.setSoTimeout((int) Waits.MAX.toMillis());
        in = new BufferedInputStream(socket.getInputStream());
    }

    void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    void post(String path, String headers, byte[] body) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.write(("POST " + path + " HTTP/1.1\r\nHost: test\r\n" + headers + "Content-Length: " + body.length
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
        request.write(body);
        send(request.toByteArray());
    }

    /** Reads an answer with its body. */
    Answer answer() throws IOException {
        return answer(true);
    }

    Answer answer(boolean withBody) throws IOException {
        String line = line();
        int status = Integer.parseInt(line.split(" ", -1)[1]);
        Map<String, String> headers = new TreeMap<>();
        for (line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).trim());
        }
        int length = withBody ? Integer.parseInt(headers.getOrDefault("content-length", "0")) : 0;
        return new Answer(status, headers, new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("The connection ended within '" + line + "'.");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    byte[] read(int count) throws IOException {
        return in.readNBytes(count);
    }

    /** Waits for the next byte or the end; returns whether the other end has closed. */
    boolean isAtEnd() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketException e) {
            // A reset is an end too.
            return true;
        }
    }

    /** Reads until the other end closes. */
    void readToEnd() throws IOException {
        boolean atEnd = isAtEnd();
        while (!atEnd) {
            atEnd = isAtEnd();
        }
    }

    /** Reads until the end; returns whether the other end reset the connection instead of closing. */
    boolean isReset() throws IOException {
        try {
            in.readAllBytes();
            return false;
        } catch (SocketException e) {
            return true;
        }
    }

    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Ends the connection like a killed process with unread bytes. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
