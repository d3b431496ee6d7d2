package io.chimera.archive.server;

import io.chimera.common.channel.HttpAnswer;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Sends an answer to an HTTP client: a short answer in one response, a longer answer in parts. The first part begins
 * the response. One thread, except {@link #giveUp}.
 */
final class AnswerStream extends OutputStream {
    private static final int PART_BYTES = 256 << 10;
    private static final int SHORT_BYTES = 4 << 10;
    private static final int OK = 200;

    private final HttpExchange exchange;
    private final Semaphore turns;
    private Map<String, String> headers = Map.of();
    private byte[] part = new byte[SHORT_BYTES];
    private int used;

    // guarded by this: giveUp runs on another thread
    private @Nullable HttpAnswer answer;
    private boolean isOver;

    /**
     * Creates an answer that has not begun.
     *
     * @param turns the permits of {@link AnswerThreads}: the writing thread holds a permit, and releases the permit
     *     while it waits for the client
     */
    AnswerStream(HttpExchange exchange, Semaphore turns) {
        this.exchange = exchange;
        this.turns = turns;
    }

    /** Sets the content type. Only valid before the first write. */
    void contentType(String name) {
        headers = Map.of("Content-Type", name);
    }

    @Override
    public void write(int value) {
        write(new byte[] {(byte) value}, 0, 1);
    }

    /**
     * Buffers bytes, and sends a part when the buffer is full. Waits while the client has not read the earlier parts.
     *
     * @throws ChimeraException when the client has disconnected or the answer was given up
     */
    @Override
    public void write(byte[] bytes, int offset, int length) {
        int from = offset;
        int left = length;
        while (left > 0) {
            if (used == PART_BYTES) {
                send();
            }
            int count = Math.min(left, PART_BYTES - used);
            if (used + count > part.length) {
                part = Arrays.copyOf(part, Math.min(PART_BYTES, Math.max(used + count, 2 * part.length)));
            }
            System.arraycopy(bytes, from, part, used, count);
            used += count;
            from += count;
            left -= count;
        }
    }

    private void send() {
        HttpAnswer begun = begun();
        letOthersWork(() -> begun.write(part, 0, used));
        used = 0;
    }

    private void letOthersWork(Runnable sending) {
        turns.release();
        try {
            sending.run();
        } finally {
            turns.acquireUninterruptibly();
        }
    }

    /**
     * Begins the response in parts. Only valid before the first write, and without a permit. Returns false when the
     * client has disconnected or the answer was given up.
     */
    boolean begin() {
        try {
            begun().write(part, 0, 0);
            return true;
        } catch (ChimeraException e) {
            close();
            return false;
        }
    }

    private synchronized HttpAnswer begun() {
        if (isOver) {
            throw new ChimeraException(Category.WARN, "The answer was given up.");
        }
        if (answer == null) {
            answer = exchange.respondInParts(OK, headers);
        }
        return answer;
    }

    /** Whether a part was sent, so that an HTTP status can no longer be set. */
    synchronized boolean isBegun() {
        return answer != null;
    }

    /** Announces the names of trailer fields. Only valid before the first write. */
    void trailers(String names) {
        headers = new HashMap<>(headers);
        headers.put("Trailer", names);
    }

    /**
     * Completes the answer.
     *
     * @param trailers sent as trailer fields; in a short answer, sent as headers
     */
    void end(Map<String, String> trailers) {
        Map<String, String> all = new HashMap<>(headers);
        all.remove("Trailer");
        all.putAll(trailers);
        if (respond(OK, all, Arrays.copyOf(part, isBegun() ? 0 : used))) {
            return;
        }
        HttpAnswer begun = begun();
        if (used > 0) {
            send();
        }
        letOthersWork(() -> begun.end(trailers));
        over();
    }

    /** Answers with a status unless a part was sent or the answer is over. Returns whether the status was sent. */
    synchronized boolean respond(int status, Map<String, String> of, byte[] body) {
        if (isOver || answer != null) {
            return false;
        }
        isOver = true;
        exchange.respond(status, of, body);
        return true;
    }

    /** Sends the buffered bytes and closes the connection to mark the answer as incomplete. */
    void cutOff() {
        try {
            HttpAnswer begun = begun();
            if (used > 0) {
                send();
                letOthersWork(() -> begun.write(part, 0, 0)); // waits until the part has left
            }
        } catch (ChimeraException e) {
            // the client has already disconnected
        } finally {
            close();
        }
    }

    private synchronized void over() {
        isOver = true;
    }

    /**
     * Ends the answer although the writing thread is blocked by the client or a device. Any thread.
     *
     * @param status sent if nothing was sent yet
     */
    void giveUp(int status, Map<String, String> of, byte[] body) {
        if (!respond(status, of, body)) {
            HttpAnswer begun;
            synchronized (this) {
                begun = isOver ? null : answer;
                isOver = true;
            }
            if (begun != null) {
                begun.cutOff();
            }
        }
    }

    /** Closes the connection unless the answer is complete. */
    @Override
    public void close() {
        HttpAnswer begun;
        synchronized (this) {
            isOver = true;
            begun = answer;
        }
        if (begun != null) {
            begun.close();
        }
    }
}
