package io.chimera.common.channel.netty.tcp;

/**
 * State of a TCP connection with lines, on its event loop.
 *
 * <pre>
 * from      event                                                    to
 * READING   the handler has no room                                  PAUSED
 * PAUSED    the handler has taken all received bytes                 READING
 * READING   the client ends its output, all bytes taken              CLOSING, after the replies
 * READING   the client ends its output, no room for the last line    ENDING
 * PAUSED    the client ends its output                               ENDING
 * ENDING    the handler has taken all received bytes                 CLOSING, after the replies
 * READING   the node stops                                           CLOSING, at once
 * PAUSED    the node stops                                           STOPPING
 * ENDING    the node stops                                           STOPPING
 * STOPPING  the handler has taken all received bytes                 CLOSING, at once
 * any       refusal, eviction, idle, failed handler, broken channel  CLOSING
 * </pre>
 */
enum TcpState {
    /** Received bytes go to the handler. */
    READING,
    /** The handler has no room: reading pauses until a retry succeeds. */
    PAUSED,
    /** Paused, and the client has ended its output: the incomplete last line counts as a line. */
    ENDING,
    /** Paused, and the node stops: the incomplete last line is dropped. */
    STOPPING,
    /** Input is dropped; the last answer is sent, or the channel has closed. */
    CLOSING;

    /** Returns whether received bytes wait for room in the handler. */
    boolean isWaiting() {
        return this == PAUSED || this == ENDING || this == STOPPING;
    }
}
