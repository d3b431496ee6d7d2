package io.chimera.common.channel.netty;

import io.chimera.common.channel.netty.socket.Handshakes;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.function.BiConsumer;

/**
 * Reports clients with a failed TLS handshake at a server port that another library runs on Netty. A client that
 * connects without sending anything, such as a port check, is not reported. On the server's event loops.
 */
public final class HandshakeWatch {
    private HandshakeWatch() {}

    /**
     * Watches the later accepted connections of a port.
     *
     * @param server listening channel
     * @param failed receives the client's address and the reason; must not block
     */
    public static void start(Channel server, BiConsumer<InetAddress, String> failed) {
        server.pipeline().addFirst("handshakes", new Acceptor(failed));
    }

    @ChannelHandler.Sharable
    private static final class Acceptor extends ChannelInboundHandlerAdapter {
        private final BiConsumer<InetAddress, String> failed;

        Acceptor(BiConsumer<InetAddress, String> failed) {
            this.failed = failed;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof Channel accepted) {
                accepted.pipeline().addLast("handshake", new FirstBytes(failed));
            }
            ctx.fireChannelRead(message);
        }
    }

    /**
     * Watches the handshake of one connection; removes itself with the first bytes, after which a failed handshake
     * counts.
     */
    private static final class FirstBytes extends ChannelInboundHandlerAdapter {
        private final BiConsumer<InetAddress, String> failed;

        FirstBytes(BiConsumer<InetAddress, String> failed) {
            this.failed = failed;
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the listener handles the result
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            SslHandler tls = ctx.pipeline().get(SslHandler.class);
            if (tls != null && ctx.channel().remoteAddress() instanceof InetSocketAddress client) {
                tls.handshakeFuture().addListener(done -> {
                    if (!done.isSuccess() && !isAbandoned(done.cause())) {
                        failed.accept(client.getAddress(), Handshakes.reason(ctx.channel(), done.cause()));
                    }
                });
            }
            ctx.fireChannelRead(message);
            ctx.pipeline().remove(this);
        }

        /** A busy client gives up, or a busy server is too slow: neither end has refused the other. */
        private static boolean isAbandoned(Throwable cause) {
            return cause instanceof ClosedChannelException || cause instanceof SslHandshakeTimeoutException;
        }
    }
}
