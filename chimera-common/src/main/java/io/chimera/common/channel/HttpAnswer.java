package io.chimera.common.channel;

import java.util.Map;

/**
 * Body of an answer without a known length. Used by one thread outside of the listener's threads, because writes block
 * for a slow client.
 */
public interface HttpAnswer extends AutoCloseable {
    /**
     * Sends a part; blocks until the client has received the previous part, so at most two parts are in memory.
     *
     * @param bytes copied by the call
     * @throws io.chimera.common.error.ChimeraException if the client has disconnected; later writes fail too
     */
    void write(byte[] bytes, int offset, int length);

    /** Ends the answer successfully. */
    default void end() {
        end(Map.of());
    }

    /**
     * Ends the answer successfully with trailers.
     *
     * @param trailers trailers; their names must be in the header {@code Trailer}
     */
    void end(Map<String, String> trailers);

    /**
     * Closes the connection, so a blocked {@link #write} fails. Any thread. The answer's own thread must still call
     * {@link #close}.
     */
    void cutOff();

    /** Closes the connection unless the answer has ended, so the client detects a truncated answer. Idempotent. */
    @Override
    void close();
}
