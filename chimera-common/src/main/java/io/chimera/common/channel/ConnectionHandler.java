package io.chimera.common.channel;

import org.agrona.DirectBuffer;

/**
 * Hears what happens on one connection, on the transport's thread. It hands over to the agent that owns the state and
 * returns at once. Calls for one connection never overlap: opened, frames, closed.
 */
public interface ConnectionHandler {
    /** The connection is there. */
    void onOpen(Connection connection);

    /**
     * A frame arrived whole and with a good checksum.
     *
     * @param connection where it came from
     * @param buffer holds the frame during the call
     * @param offset index of its first byte
     * @param length its length, at least 1
     * @return false when there is no room for it now: it is handed over again soon, and nothing behind it meanwhile
     */
    boolean onFrame(Connection connection, DirectBuffer buffer, int offset, int length);

    /**
     * The connection is gone, or never came about.
     *
     * @param reason a sentence for the log
     */
    void onClose(String reason);
}
