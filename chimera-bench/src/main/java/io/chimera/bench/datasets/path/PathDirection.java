package io.chimera.bench.datasets.path;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Bytes of a connection on their way in one direction. The bytes under way are at most the window of the connection,
 * whose size doubles with each round trip up to its maximum, as in the slow start of TCP. All connections together have
 * at most rate × one way, and the queue of the link, under way. Knows no sockets and no clock. One thread.
 */
final class PathDirection {
    /** Time that means never. */
    static final long NEVER = Long.MAX_VALUE;

    /** Maximum number of pieces under way: pieces may be much shorter than their buffers. */
    private static final int PIECES_MAX = 1_024;

    /** Part of the window that must be free before further bytes enter: avoids pieces of a few bytes. */
    private static final int WINDOW_PARTS = 4;

    private final PathModel model;
    private final PathLink link;
    private final long firstNs;
    private final Deque<Piece> pieces = new ArrayDeque<>();
    private final Deque<Credit> credits = new ArrayDeque<>();
    private int window = PathModel.WINDOW_INITIAL;
    private int underWay;

    /** Bytes that arrive together. */
    private record Piece(ByteBuffer bytes, long dueNs) {}

    /** Acknowledgement of bytes on its way back. */
    private record Credit(int bytes, long dueNs) {}

    /**
     * Creates a direction without bytes.
     *
     * @param link link shared with the other connections
     * @param firstNs earliest arrival of the first byte
     */
    PathDirection(PathModel model, PathLink link, long firstNs) {
        this.model = model;
        this.link = link;
        this.firstNs = firstNs;
    }

    /** Returns the number of bytes that may enter now. */
    int room(long nowNs) {
        while (!credits.isEmpty() && credits.peekFirst().dueNs() - nowNs <= 0) {
            int bytes = credits.removeFirst().bytes();
            underWay -= bytes;
            window = Math.min(model.windowBytes(), window + bytes);
        }
        if (pieces.size() >= PIECES_MAX || !link.hasRoom(nowNs)) {
            return 0;
        }
        int free = window - underWay;
        return free < window / WINDOW_PARTS ? 0 : free;
    }

    /**
     * Accepts bytes.
     *
     * @param bytes the bytes; unchanged and not used by the caller until {@link #arrived} returns this buffer
     */
    void enter(ByteBuffer bytes, long nowNs) {
        underWay += bytes.remaining();
        long sentNs = link.send(bytes.remaining(), nowNs) + model.oneWayNs();
        pieces.addLast(new Piece(bytes, Math.max(sentNs, firstNs)));
    }

    /** Returns the bytes that arrive next and have arrived by now; null without such bytes. */
    ByteBuffer arrived(long nowNs) {
        Piece first = pieces.peekFirst();
        return first == null || first.dueNs() - nowNs > 0 ? null : first.bytes();
    }

    /**
     * Acknowledges bytes of {@link #arrived}; without remaining bytes the buffer belongs to the caller again.
     *
     * @param count number of bytes that the receiver accepted
     */
    void accepted(int count, long nowNs) {
        if (count > 0) {
            credits.addLast(new Credit(count, nowNs + model.oneWayNs()));
        }
        if (!pieces.getFirst().bytes().hasRemaining()) {
            pieces.removeFirst();
        }
    }

    /** Returns whether no byte is on its way. */
    boolean isEmpty() {
        return pieces.isEmpty();
    }

    /** Returns the time at which the next bytes arrive; {@link #NEVER} without bytes. */
    long nextArrivalNs() {
        return pieces.isEmpty() ? NEVER : pieces.getFirst().dueNs();
    }

    /** Returns the time from which on bytes may enter, as far as known now. */
    long nextRoomNs(long nowNs) {
        if (room(nowNs) > 0) {
            return nowNs;
        }
        long linkNs = link.hasRoom(nowNs) ? nowNs : link.roomFromNs();
        if (pieces.size() < PIECES_MAX && window - underWay >= window / WINDOW_PARTS) {
            return linkNs;
        }
        return credits.isEmpty() ? NEVER : credits.getFirst().dueNs();
    }
}
