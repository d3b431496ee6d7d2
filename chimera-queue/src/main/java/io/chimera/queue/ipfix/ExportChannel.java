package io.chimera.queue.ipfix;

import java.nio.ByteBuffer;

/** The way to a collector. Its calls never wait, but for the look-up of a host's name when it connects. One thread. */
interface ExportChannel extends AutoCloseable {
    /** There is no connection. */
    int NO_SESSION = 0;

    /**
     * Goes on: connects, and sends what is still to be sent of a message that was taken.
     *
     * @param nowNs {@code Clock.nanoTime()}
     * @return number of things that were done
     */
    int proceed(long nowNs);

    /** Number of the transport session, from 1; in each templates and sequence begin anew. {@link #NO_SESSION}: not connected. */
    int session();

    /**
     * Takes a message.
     *
     * @param message from its position to its limit; not used after the call
     * @param records data records in it
     * @param nowNs {@code Clock.nanoTime()}
     * @return false when it is not taken now, or not in this session; nothing of it was sent then
     */
    boolean send(ByteBuffer message, int records, long nowNs);

    /** Whether all that was taken has gone to the system. */
    boolean isFlushed();

    @Override
    void close();
}
