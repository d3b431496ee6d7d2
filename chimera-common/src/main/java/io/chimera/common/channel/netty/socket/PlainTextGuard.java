package io.chimera.common.channel.netty.socket;

import io.chimera.common.channel.WireProtocol;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import java.util.Optional;

/**
 * First handler before TLS on a listener's connection. Answers a client without TLS in plain text, names its protocol,
 * and closes the connection; for a TLS client, removes itself after the first byte.
 */
@SuppressWarnings("FutureReturnValueIgnored") // closing does not fail, and a failed write closes
public final class PlainTextGuard extends ChannelInboundHandlerAdapter {
    /** Reason for the refusal of a connection before its TLS handshake. */
    static final AttributeKey<String> REASON = AttributeKey.valueOf(PlainTextGuard.class, "reason");

    private static final byte HANDSHAKE = 0x16;

    private boolean isRefused;

    public PlainTextGuard() {}

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (isRefused) {
            ReferenceCountUtil.release(in);
            return;
        }
        byte first = in.isReadable() ? in.getByte(in.readerIndex()) : HANDSHAKE;
        if (first == HANDSHAKE || first < 0) { // a negative byte may be an SSL 2 hello, which the TLS handler refuses
            ctx.fireChannelRead(in);
            ctx.pipeline().remove(this);
            return;
        }
        byte[] beginning = ForeignBytes.peek(in);
        in.release();
        refuse(ctx, beginning);
    }

    private void refuse(ChannelHandlerContext ctx, byte[] beginning) {
        isRefused = true;
        Optional<WireProtocol> protocol = WireProtocol.of(beginning, 0, beginning.length);
        String reason = WireProtocol.refusalWithoutTls(protocol.orElse(null));
        Channel channel = ctx.channel();
        channel.attr(REASON).set(reason);
        ctx.fireUserEventTriggered(ForeignBytes.of(reason, beginning, true));
        byte[] answer = WireProtocol.answerWithoutTls(protocol.orElse(null));
        ctx.writeAndFlush(Unpooled.wrappedBuffer(answer)) // not through TLS, as FinalAnswer would
                .addListener(written -> ((DuplexChannel) channel).shutdownOutput());
        Later.run(channel, FinalAnswer.LINGER_MS, channel::close);
    }
}
