package io.chimera.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * HTTP connection for posting line protocol, with little cost compared with the server: the body goes to the socket
 * without a copy. Retries requests to a full server. One thread.
 */
public final class LoadConnection implements AutoCloseable {
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");
    private static final Pattern LENGTH = Pattern.compile("\r\ncontent-length: *(\\d+)\r\n");
    private static final String CLOSE = "\r\nconnection: close\r\n";
    private static final int UNAVAILABLE = 503;
    private static final int TOO_MANY = 429;
    private static final long PAUSE_MS = 20;

    private final String target;
    private final Opening opening;
    private Pipe pipe;
    private final ByteBuffer answer = ByteBuffer.allocate(64 << 10);

    /** Opens the pipe of a connection. */
    @FunctionalInterface
    interface Opening {
        Pipe open() throws IOException;
    }

    LoadConnection(String target, Opening opening) throws IOException {
        this.target = target;
        this.opening = opening;
        pipe = opening.open();
    }

    /** Posts a body and waits until the server accepts it. */
    public void post(ByteBuffer body) throws IOException, InterruptedException {
        while (!offer(body)) {
            Thread.sleep(PAUSE_MS);
        }
    }

    /**
     * Posts a body once. Connects again after an answer whose connection the server closes.
     *
     * @return whether the server accepted the body; false after an answer of a full server, 503 or 429
     * @throws IOException when the server answers with another error
     */
    public boolean offer(ByteBuffer body) throws IOException {
        String head =
                "POST /write HTTP/1.1\r\nHost: " + target + "\r\nContent-Length: " + body.remaining() + "\r\n\r\n";
        pipe.write(ByteBuffer.wrap(head.getBytes(US_ASCII)), body.duplicate());
        int status = status();
        if (status / 100 != 2 && status != UNAVAILABLE && status != TOO_MANY) {
            throw new IOException(target + " answered " + status + " to valid points.");
        }
        return status / 100 == 2;
    }

    private int status() throws IOException {
        answer.clear();
        String text = "";
        int headEnd = -1;
        while (headEnd < 0) {
            text = read();
            headEnd = text.indexOf("\r\n\r\n");
        }
        Matcher status = STATUS.matcher(text);
        if (!status.lookingAt()) {
            throw new IOException(target + " answered without HTTP: " + text);
        }
        String head = text.substring(0, headEnd + 2).toLowerCase(Locale.ROOT);
        Matcher length = LENGTH.matcher(head);
        int end = headEnd + 4 + (length.find() ? Integer.parseInt(length.group(1)) : 0);
        while (answer.position() < end) {
            read();
        }
        if (head.contains(CLOSE)) {
            reopen();
        }
        return Integer.parseInt(status.group(1));
    }

    /** Drops the connection with its answers, and connects again. */
    public void reopen() throws IOException {
        pipe.close();
        pipe = opening.open();
    }

    private String read() throws IOException {
        if (pipe.read(answer) < 0) {
            throw new EOFException(target + " closed the connection.");
        }
        return new String(answer.array(), 0, answer.position(), US_ASCII);
    }

    @Override
    public void close() throws IOException {
        pipe.close();
    }
}
