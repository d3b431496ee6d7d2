package io.chimera.common.channel.netty;

import io.chimera.common.channel.DatagramHandler;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DatagramPacket;
import org.agrona.ErrorHandler;

/**
 * Passes the datagrams of one port to their handler, on its event loop. A failure loses one datagram, never the port.
 */
final class UdpPort extends SimpleChannelInboundHandler<DatagramPacket> {
    /** Maximum length of a datagram: the length field of UDP has 16 bits. */
    static final int DATAGRAM_LENGTH_MAX = 64 << 10;

    private final DatagramHandler handler;
    private final Counters<ChannelCounter> counters;
    private final ErrorHandler errors;
    private final byte[] bytes = new byte[DATAGRAM_LENGTH_MAX];
    private long datagramsRead;
    private long bytesRead;

    UdpPort(DatagramHandler handler, Counters<ChannelCounter> counters, ErrorHandler errors) {
        this.handler = handler;
        this.counters = counters;
        this.errors = errors;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, DatagramPacket packet) {
        ByteBuf content = packet.content();
        int length = content.readableBytes();
        content.readBytes(bytes, 0, length);
        datagramsRead++;
        bytesRead += length;
        try {
            handler.onDatagram(bytes, 0, length, packet.sender());
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        counters.add(ChannelCounter.UDP_DATAGRAMS, datagramsRead);
        counters.add(ChannelCounter.UDP_BYTES_RECEIVED, bytesRead);
        datagramsRead = 0;
        bytesRead = 0;
        try {
            handler.onReadComplete();
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private void failed(RuntimeException cause) {
        counters.increment(ChannelCounter.UDP_HANDLERS_FAILED);
        errors.onError(cause);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        errors.onError(cause);
    }
}
