package io.chimera.queue.dispatch;

import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives the frames of one connection to a processor on the transport's thread, and queues the frames as notes for
 * the channel manager's thread. Each connection has a separate inbox, so notes of an earlier connection never reach the
 * owner.
 */
final class ChannelInbox implements ConnectionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelInbox.class);

    /**
     * Maximum number of queued notes between two rounds of the channel manager: answers for a few cycles of a few
     * hundred parts and shards.
     */
    private static final int NOTES_MAX = 4096;

    private final ManyToOneConcurrentArrayQueue<ChannelNote> notes = new ManyToOneConcurrentArrayQueue<>(NOTES_MAX);
    private final String processor;
    private volatile Connection connection;
    private volatile boolean isGivenUp;

    /**
     * Creates an inbox for a connection not yet open.
     *
     * @param processor id of the processor, for the log
     */
    ChannelInbox(String processor) {
        this.processor = processor;
    }

    // Called by the transport's thread.

    @Override
    public void onOpen(Connection opened) {
        connection = opened;
        if (isGivenUp) {
            opened.close();
        }
        leave(new ChannelNote.Opened(opened));
    }

    @Override
    public boolean onFrame(Connection from, DirectBuffer buffer, int offset, int length) {
        ChannelNote note = ChannelNote.decode(buffer, offset, length);
        if (note == null) {
            from.close();
            return true;
        }
        if (!notes.offer(note)) {
            return false;
        }
        from.consumed(length);
        return true;
    }

    @Override
    public void onClose(String reason) {
        leave(new ChannelNote.Ended(reason));
    }

    /**
     * Adds a note about opening or closing. A connection produces at most two such notes, so the queue always has room.
     */
    private void leave(ChannelNote note) {
        if (!notes.offer(note)) {
            LOG.error("Note queue of processor {} is full; its channel is stuck. Restart this node.", processor);
        }
    }

    // Called by the channel manager's thread.

    /** Returns the oldest note and removes the note; null for an empty queue. */
    ChannelNote poll() {
        return notes.poll();
    }

    /** Closes the connection, even before the connection opens. */
    void close() {
        isGivenUp = true;
        if (connection != null) {
            connection.close();
        }
    }
}
