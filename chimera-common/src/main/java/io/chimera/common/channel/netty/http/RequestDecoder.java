package io.chimera.common.channel.netty.http;

import io.chimera.common.channel.netty.socket.ForeignBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.util.List;
import java.util.Optional;

/**
 * Netty's decoder of HTTP requests with a gate: while a request is being answered, later requests stay undecoded, as
 * bytes of at most one read. Pipelined requests are therefore answered in order with bounded memory.
 */
final class RequestDecoder extends HttpRequestDecoder {
    private boolean held;
    private boolean discarding;
    private boolean decoding;

    /** Whether the beginning of the connection is HTTP, or at least not recognized as another protocol. */
    private boolean isHttp;

    private ChannelHandlerContext context;

    RequestDecoder() {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(HttpPort.LINE_LENGTH_MAX)
                .setMaxHeaderSize(HttpPort.HEADERS_LENGTH_MAX)
                .setMaxChunkSize(HttpPort.READ_BYTES_MAX));
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    /** Stops decoding until {@link #resume}. */
    void hold() {
        held = true;
    }

    /** Resumes decoding, beginning with the buffered bytes. */
    void resume() {
        held = false;
        if (decoding) {
            // The decoding loop further up the stack continues.
            return;
        }
        try {
            channelRead(context, Unpooled.EMPTY_BUFFER);
        } catch (Exception e) {
            context.fireExceptionCaught(e);
        }
    }

    /** Discards all further input. */
    void discard() {
        discarding = true;
    }

    /** Returns whether bytes of an incomplete request are buffered. */
    boolean hasBytes() {
        return actualReadableBytes() > 0;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object input) throws Exception {
        boolean outer = decoding;
        decoding = true;
        try {
            super.channelRead(ctx, input);
        } finally {
            decoding = outer;
        }
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        if (discarding) {
            in.skipBytes(in.readableBytes());
        } else if (!held && (isHttp || isHttp(ctx, in))) {
            super.decode(ctx, in, out);
        }
    }

    /**
     * Checks the first line of a connection. Returns false while the line is incomplete, and for a foreign protocol.
     */
    private boolean isHttp(ChannelHandlerContext ctx, ByteBuf in) {
        boolean isBinary = in.isReadable() && in.getByte(in.readerIndex()) < ' ';
        boolean isWhole = in.readableBytes() >= ForeignBytes.LENGTH_MAX
                || (isBinary && in.readableBytes() >= ForeignBytes.BINARY_LENGTH_MIN)
                || in.bytesBefore((byte) '\n') >= 0;
        if (!isWhole) {
            return false;
        }
        Optional<ForeignBytes> foreign = ForeignBytes.toHttp(in);
        if (foreign.isPresent()) {
            discard();
            in.skipBytes(in.readableBytes());
            ctx.fireUserEventTriggered(foreign.get());
            return false;
        }
        isHttp = true;
        return true;
    }
}
