package io.chimera.apps.archive;

import io.chimera.common.channel.HttpAnswer;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;

/**
 * What goes to a client: in one piece where it is short, in parts otherwise, the first of which begins the answer. One thread, but for
 * {@link #giveUp}.
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

    // guarded by this: another thread may give up
    private HttpAnswer answer;
    private boolean isOver;

    /**
     * An answer that has not begun.
     *
     * @param turns of those who answer: who writes has one, which others get while the client is waited for
     */
    AnswerStream(HttpExchange exchange, Semaphore turns) {
        this.exchange = exchange;
        this.turns = turns;
    }

    /** Says what comes; before anything is written. */
    void contentType(String name) {
        headers = Map.of("Content-Type", name);
    }

    @Override
    public void write(int value) {
        write(new byte[] {(byte) value}, 0, 1);
    }

    /**
     * Takes bytes; waits for the client where it has not taken what was sent before.
     *
     * @throws ChimeraException when the client is gone, or it was given up
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

    /** Tells the client that an answer comes; before anything is written, and without a turn. False: it is gone, or the answer given up. */
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

    /** Whether something was sent, so that a status says nothing any more. */
    synchronized boolean isBegun() {
        return answer != null;
    }

    /** Says that headers stand behind the answer; before anything is written. */
    void trailers(String names) {
        headers = new HashMap<>(headers);
        headers.put("Trailer", names);
    }

    /**
     * The answer is whole.
     *
     * @param trailers headers behind it; ahead of it, where it is short
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

    /** Answers with a status, if nothing was sent yet. */
    synchronized boolean respond(int status, Map<String, String> of, byte[] body) {
        if (isOver || answer != null) {
            return false;
        }
        isOver = true;
        exchange.respond(status, of, body);
        return true;
    }

    /** Sends what there is, and ends the connection: the answer is not whole. */
    void cutOff() {
        try {
            HttpAnswer begun = begun();
            if (used > 0) {
                send();
                letOthersWork(() -> begun.write(part, 0, 0)); // waits until that has left
            }
        } catch (ChimeraException e) {
            // the client is gone, which is what it is to be told
        } finally {
            close();
        }
    }

    private synchronized void over() {
        isOver = true;
    }

    /**
     * Ends it although the thread that writes it is held up, be it by the client or by a device. Any thread.
     *
     * @param status where nothing was sent yet
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

    /** Ends the connection unless the answer is whole. */
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
