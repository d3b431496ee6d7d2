package io.chimera.common.channel;

import java.util.Map;

/**
 * The body of an answer whose length is not known when it begins. One thread, which is none of the listener's: it waits for a
 * client that takes its answer slowly.
 */
public interface HttpAnswer extends AutoCloseable {
    /**
     * Sends a part; waits until the client has taken the one before, so that no more than two are in memory.
     *
     * @param bytes are copied
     * @throws io.chimera.common.error.ChimeraException when the client is gone; nothing more can be sent then
     */
    void write(byte[] bytes, int offset, int length);

    /** The answer is whole; there are no more parts. */
    default void end() {
        end(Map.of());
    }

    /**
     * The same, with headers behind it.
     *
     * @param trailers their names were given in the header {@code Trailer}
     */
    void end(Map<String, String> trailers);

    /** Ends the connection, so that a {@link #write} under way fails. Any thread; the answer is closed by its own all the same. */
    void cutOff();

    /** Ends the connection unless the answer is whole, so that the client notices. Doing it twice does nothing. */
    @Override
    void close();
}
