package io.chimera.queue.replication;

import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.security.PeerCertificate;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.ReplicationFrame;
import java.util.Optional;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One connection with a peer, whoever made it. On the transport's thread it hands batches to the ring and leaves everything
 * else as a note; what becomes of that the replicator decides on its own thread.
 */
final class Link implements ConnectionHandler {
    /** Notes between two rounds of the replicator; a peer that sends more waits. */
    private static final int NOTES_MAX = 256;

    /** What a frame that is no batch says. */
    record Note(int type, long stream, long seq, Hello hello) {}

    private final BatchReceiver receiver;
    private final OneToOneConcurrentArrayQueue<Note> notes = new OneToOneConcurrentArrayQueue<>(NOTES_MAX);
    private final UnsafeBuffer frame = new UnsafeBuffer(new byte[ReplicationFrame.LENGTH]);

    private volatile Connection connection;
    private volatile String closed;

    /** Streams that this node asked for over this link; null as long as no batch may come. */
    private volatile long[] asked;

    private volatile boolean isGivenUp;

    /**
     * A link that is not open yet.
     *
     * @param receiver takes batches once {@link #takeBatches} is called; before that none may come
     */
    Link(BatchReceiver receiver) {
        this.receiver = receiver;
    }

    // the transport's thread

    @Override
    public void onOpen(Connection opened) {
        connection = opened;
        if (isGivenUp) {
            opened.close();
        }
    }

    @Override
    public boolean onFrame(Connection from, DirectBuffer buffer, int offset, int length) {
        int type = ReplicationFrame.type(buffer, offset, length);
        Hello hello = type == ReplicationFrame.HELLO ? Hello.decode(buffer, offset, length) : null;
        boolean isTaken = true;
        long[] streams = asked;
        if (type == ReplicationFrame.BATCH && streams != null) {
            isTaken = receiver.take(from, streams, buffer, offset, length);
        } else if (type == 0 || type == ReplicationFrame.BATCH || (type == ReplicationFrame.HELLO && hello == null)) {
            receiver.refuse(from, "a frame that makes no sense here");
        } else if (hello != null) {
            isTaken = notes.offer(new Note(type, 0, 0, hello));
        } else {
            long stream = ReplicationFrame.stream(buffer, offset);
            isTaken = notes.offer(new Note(type, stream, ReplicationFrame.seq(buffer, offset), null));
        }
        if (isTaken) {
            // At once, and not when the journal has it: the ring is the bound, and a full one takes nothing.
            from.consumed(length);
        }
        return isTaken;
    }

    @Override
    public void onClose(String reason) {
        closed = reason;
    }

    // the replicator's thread

    /** Why the link is gone; null while it is not. */
    String closed() {
        return closed;
    }

    boolean isOpen() {
        return connection != null && closed == null;
    }

    /** Accepts batches of these streams from now on, and of no others. */
    void takeBatches(long[] streams) {
        asked = streams;
    }

    /** The oldest note, which stays; null when there is none. */
    Note peek() {
        return notes.peek();
    }

    void remove() {
        notes.poll();
    }

    boolean send(int type, long stream, long seq) {
        ReplicationFrame.encode(frame, 0, type, stream, seq);
        return connection.offer(frame, 0, ReplicationFrame.LENGTH);
    }

    boolean send(Hello hello) {
        UnsafeBuffer encoded = new UnsafeBuffer(new byte[hello.length()]);
        hello.encode(encoded, 0);
        return connection.offer(encoded, 0, encoded.capacity());
    }

    boolean send(DirectBuffer buffer, int offset, int length) {
        return connection.offer(buffer, offset, length);
    }

    /** The certificate that the other end proved to hold; empty without TLS. */
    Optional<PeerCertificate> certificate() {
        return connection == null ? Optional.empty() : connection.certificate();
    }

    String remote() {
        return connection == null ? "?" : connection.remote();
    }

    /** Ends the link, also when it is only about to open. */
    void close() {
        isGivenUp = true;
        if (connection != null) {
            connection.close();
        }
    }
}
