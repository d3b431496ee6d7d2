package io.chimera.queue.replication;

import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.identity.PeerCertificate;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.ReplicationFrame;
import java.util.Optional;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Connection with a peer, opened by either side. On the transport's thread the link copies batches to the ring and
 * queues all other frames as notes. The replicator processes the notes on its own thread.
 */
final class PeerLink implements ConnectionHandler {
    /** Maximum number of queued notes between two rounds of the replicator; a full queue blocks the peer. */
    private static final int NOTES_MAX = 256;

    /** Content of a frame other than a batch. */
    record Note(int type, long stream, long seq, Hello hello) {}

    private final BatchReceiver receiver;
    private final OneToOneConcurrentArrayQueue<Note> notes = new OneToOneConcurrentArrayQueue<>(NOTES_MAX);
    private final UnsafeBuffer frame = new UnsafeBuffer(new byte[ReplicationFrame.LENGTH]);

    private volatile Connection connection;
    private volatile String closed;

    /** Streams requested by this node over this link; null while no batch is allowed. */
    private volatile long[] asked;

    private volatile boolean isGivenUp;

    /**
     * Creates an unopened link.
     *
     * @param receiver accepts batches after the first call of {@link #takeBatches}; earlier batches are errors
     */
    PeerLink(BatchReceiver receiver) {
        this.receiver = receiver;
    }

    // Called by the transport's thread.

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
            receiver.refuse(from, "an unexpected or malformed frame");
        } else if (hello != null) {
            isTaken = notes.offer(new Note(type, 0, 0, hello));
        } else {
            long stream = ReplicationFrame.stream(buffer, offset);
            isTaken = notes.offer(new Note(type, stream, ReplicationFrame.seq(buffer, offset), null));
        }
        if (isTaken) {
            // Returns the credit at once, not after the journal append: the ring is the bound, and a full ring accepts
            // no batch.
            from.consumed(length);
        }
        return isTaken;
    }

    @Override
    public void onClose(String reason) {
        closed = reason;
    }

    // Called by the replicator's thread.

    /** Reason of the disconnection; null while the link is open or opening. */
    String closed() {
        return closed;
    }

    boolean isOpen() {
        return connection != null && closed == null;
    }

    /** Accepts batches of exactly these streams from now on. */
    void takeBatches(long[] streams) {
        asked = streams;
    }

    /** Returns the oldest note without removal; null for an empty queue. */
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
        DirectBuffer encoded = hello.frame();
        return connection.offer(encoded, 0, encoded.capacity());
    }

    boolean send(DirectBuffer buffer, int offset, int length) {
        return connection.offer(buffer, offset, length);
    }

    /** Certificate of the peer, proven by TLS; empty without TLS. */
    Optional<PeerCertificate> certificate() {
        return connection == null ? Optional.empty() : connection.certificate();
    }

    String remote() {
        return connection == null ? "?" : connection.remote();
    }

    /** Closes the link, even before the connection opens. */
    void close() {
        isGivenUp = true;
        if (connection != null) {
            connection.close();
        }
    }
}
