package io.chimera.common.channel.netty.socket;

import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;

/** Sends the last answer of a refused connection. */
public final class FinalAnswer {
    /** Linger time for a client still sending: without it, a reset could destroy the answer before the client reads. */
    public static final long LINGER_MS = 2_000;

    private FinalAnswer() {}

    /** Sends the answer, ends the output, and closes the connection after the linger time. Event loop. */
    @SuppressWarnings("FutureReturnValueIgnored") // closing does not fail, and a failed write closes
    public static void send(Channel channel, Object answer) {
        channel.writeAndFlush(answer).addListener(written -> {
            Handshakes.endOutput(channel);
            ((DuplexChannel) channel).shutdownOutput();
        });
        Later.run(channel, LINGER_MS, channel::close);
    }
}
