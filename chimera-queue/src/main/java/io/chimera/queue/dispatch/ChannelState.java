package io.chimera.queue.dispatch;

/**
 * State of the channel to a processor.
 *
 * <pre>
 * from        event                                                to
 * IDLE        the back-off has passed                              CONNECTING
 * CONNECTING  the connection opens; this node sends HELLO          GREETING
 * GREETING    HELLO of the processor of the view                   READY
 * GREETING    HELLO of another node; an answer before HELLO        REFUSED
 * READY       a pass had to wait too long for this channel alone   LAGGING
 * LAGGING     a separate pass ended without such a wait            READY
 * READY       HELLO of another node; answer with another session   REFUSED
 * LAGGING     HELLO of another node; answer with another session   REFUSED
 * any         the connection has ended or could not be opened      IDLE
 * any         the processor left the view, or this node stops      CLOSED
 * </pre>
 */
enum ChannelState {
    /** Without a connection. */
    IDLE,
    /** A connection is being opened. */
    CONNECTING,
    /** The connection is open; the HELLO of the processor is missing. */
    GREETING,
    /** Frames may be sent. */
    READY,
    /** Frames may be sent, in separate passes. */
    LAGGING,
    /** This node has closed the connection; its end is not yet reported. */
    REFUSED,
    /** The channel is no longer used. */
    CLOSED;

    /** Whether the processor has introduced itself, so that frames may be sent. */
    boolean isGreeted() {
        return this == READY || this == LAGGING;
    }
}
