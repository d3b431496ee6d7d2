package io.chimera.queue.source;

/** Hears of each bad point while its text is still there; for whoever answers the sender. */
@FunctionalInterface
interface RejectListener {
    /**
     * A point was rejected.
     *
     * @param bytes holds its text during the call
     * @param offset index of its first byte
     * @param length its length
     * @param line number of its line, or of its element
     * @param reason what is wrong with it
     */
    void rejected(byte[] bytes, int offset, int length, long line, String reason);

    /** The parser answers a command of the sender. */
    default void reply(String text) {}
}
