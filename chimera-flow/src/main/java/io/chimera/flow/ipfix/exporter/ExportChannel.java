package io.chimera.flow.ipfix.exporter;

import java.nio.ByteBuffer;

/**
 * Connection to a collector. Calls never block, except to resolve the collector's host name during a connect. Used by
 * one thread.
 */
interface ExportChannel extends AutoCloseable {
    /** Returned by {@link #session} while not connected. */
    int NO_SESSION = 0;

    /**
     * Makes progress: connects, and sends the rest of an accepted message.
     *
     * @param nowNs {@code Clock.nanoTime()}
     * @return amount of work done
     */
    int proceed(long nowNs);

    /**
     * Returns the number of the transport session, from 1, or {@link #NO_SESSION} while not connected. Templates and
     * sequence numbers start over in each session.
     */
    int session();

    /**
     * Accepts a message for sending.
     *
     * @param message from position to limit; not used after the call
     * @param records number of data records in the message
     * @param nowNs {@code Clock.nanoTime()}
     * @return false when the message was not accepted, now or in this session; then no byte of the message was sent
     */
    boolean send(ByteBuffer message, int records, long nowNs);

    /** Whether every accepted message was handed to the operating system. */
    boolean isFlushed();

    @Override
    void close();
}
