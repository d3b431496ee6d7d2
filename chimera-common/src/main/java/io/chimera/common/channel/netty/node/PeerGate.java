package io.chimera.common.channel.netty.node;

import io.chimera.common.channel.netty.socket.Handshakes;
import io.chimera.common.identity.PeerCertificate;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.util.Optional;

/**
 * Blocks all input until the handshake has shown a certificate of a node of the cluster. Event loop of the connection.
 */
public final class PeerGate extends ChannelInboundHandlerAdapter {
    private final String cluster;
    private final NettyConnection connection;

    public PeerGate(String cluster, NettyConnection connection) {
        this.cluster = cluster;
        this.connection = connection;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake
                && handshake.isSuccess()
                && isNode(Handshakes.certificate(ctx.channel()))) {
            ctx.pipeline().remove(this);
        }
        ctx.fireUserEventTriggered(event);
    }

    private boolean isNode(Optional<PeerCertificate> certificate) {
        boolean isOfCluster = certificate.isPresent() && certificate.get().isOf(cluster);
        if (isOfCluster) {
            connection.authenticated(certificate.get());
        } else {
            connection.refuseCertificate(
                    cluster, certificate.map(PeerCertificate::subject).orElse("none"));
        }
        return isOfCluster;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ReferenceCountUtil.release(message); // input of an already refused peer
    }
}
