package io.chimera.queue.source.reject;

/** Receives each rejected point while its text is still in memory, to answer the sender. */
@FunctionalInterface
public interface RejectListener {
    /**
     * Handles a rejected point.
     *
     * @param bytes array with the text; valid during the call
     * @param offset first byte of the text
     * @param length bytes of the text
     * @param line number of the line or element
     * @param reason description of the error
     */
    void rejected(byte[] bytes, int offset, int length, long line, String reason);

    /** Sends the parser's answer to a command. */
    default void reply(String text) {}
}
