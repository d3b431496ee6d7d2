package io.chimera.common.channel;

import org.agrona.DirectBuffer;

/**
 * Handler of the events of one connection, called on the transport's thread. The handler passes work to the owning
 * agent and returns immediately. Calls for one connection never overlap and are in the order: opened, frames, closed.
 */
public interface ConnectionHandler {
    /** Reports the open connection. */
    void onOpen(Connection connection);

    /**
     * Reports a complete frame with a valid checksum.
     *
     * @param connection connection of the frame
     * @param buffer holds the frame during the call
     * @param offset index of the first byte
     * @param length length of the frame, at least 1
     * @return false if the handler has no room: the transport soon passes the frame again, and no later frame in the
     *     meantime
     */
    boolean onFrame(Connection connection, DirectBuffer buffer, int offset, int length);

    /**
     * Reports the end of the connection or a failed connection attempt.
     *
     * @param reason a sentence for the log
     */
    void onClose(String reason);
}
