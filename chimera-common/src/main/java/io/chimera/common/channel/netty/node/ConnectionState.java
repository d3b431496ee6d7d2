package io.chimera.common.channel.netty.node;

/**
 * State of one end of a framed connection, on its event loop.
 *
 * <pre>
 * from          event                                                   to
 * STARTING      valid START frame of the other end                      OPEN
 * STARTING      invalid START, no START in time, certificate refused    CLOSING
 * OPEN          the handler has no room for a frame                     PAUSED
 * PAUSED        the handler accepts the frame                           OPEN
 * OPEN, PAUSED  close(), invalid input, silence, the handler throws     CLOSING
 * any           the channel has ended                                   CLOSING
 * </pre>
 */
enum ConnectionState {
    /** The START frame of the other end is missing. */
    STARTING,
    /** Frames go to the handler. */
    OPEN,
    /** Reading pauses; the refused frame is passed again every millisecond. */
    PAUSED,
    /** Queued frames are sent, input is dropped, and the channel closes or has closed. */
    CLOSING
}
