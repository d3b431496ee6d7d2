package io.chimera.common.channel.netty.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.compression.DecompressionException;
import io.netty.handler.codec.compression.Decompressor;
import io.netty.handler.codec.compression.Decompressor.Status;
import io.netty.handler.codec.compression.JdkZlibDecompressor;
import io.netty.handler.codec.compression.ZlibWrapper;

/**
 * Decompresses gzip (RFC 1952, with several members) and deflate (RFC 1950, and raw RFC 1951 as sent by some clients)
 * piece by piece into a {@link RequestBody}; the body limits the output.
 *
 * <p>Uses Netty's decompressor without HttpContentDecompressor: this handler inflates a received piece completely, up
 * to a thousand times the length of the piece, before the body can refuse the first byte of a bomb.
 */
final class Unpacker implements AutoCloseable {
    /**
     * Maximum number of bytes inflated between two checks of the limits. With 16 KiB, zlib would copy much of the
     * output to its own window, which costs a quarter more time.
     */
    private static final int OUTPUT_BYTES_MAX = 128 << 10;

    private static final int DEFLATED = 8;
    private static final int METHOD_MASK = 0x0F;

    private final ByteBufAllocator allocator;
    private boolean gzip;
    /** Null before the first byte and after the end of a body: an idle connection needs no native memory. */
    private Decompressor decompressor;

    Unpacker(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    void begin(boolean isGzip) {
        close();
        gzip = isGzip;
    }

    /** Decompresses a non-empty piece completely; returns the refusal of the body, or null. */
    RequestRefusal unpack(ByteBuf in, RequestBody body) {
        if (decompressor == null) {
            decompressor = open(in.getByte(in.readerIndex()));
        }
        // Netty would copy a direct buffer to a new array.
        ByteBuf piece = allocator.heapBuffer(in.readableBytes()).writeBytes(in);
        try {
            return decompressor.status() == Status.COMPLETE ? extraBytes() : inflate(piece, body);
        } catch (DecompressionException e) {
            return corrupt(e);
        } finally {
            piece.release();
        }
    }

    /**
     * Selects the format. RFC 1950 begins with the method 8 in the low nibble of the first byte; in RFC 1951 this
     * nibble is not a plausible block.
     */
    private Decompressor open(byte first) {
        ZlibWrapper deflate = (first & METHOD_MASK) == DEFLATED ? ZlibWrapper.ZLIB : ZlibWrapper.NONE;
        return JdkZlibDecompressor.builder()
                .wrapper(gzip ? ZlibWrapper.GZIP : deflate)
                .decompressConcatenated(true)
                .maxAllocation(OUTPUT_BYTES_MAX)
                .build(allocator);
    }

    private RequestRefusal inflate(ByteBuf piece, RequestBody body) {
        decompressor.addInput(piece.retain());
        while (decompressor.status() == Status.NEED_OUTPUT) {
            ByteBuf output = decompressor.takeOutput();
            try {
                RequestRefusal refusal = body.store(output);
                if (refusal != null) {
                    return refusal;
                }
            } finally {
                output.release();
            }
        }
        return decompressor.status() == Status.COMPLETE && piece.isReadable() ? extraBytes() : null;
    }

    /** Ends the body; returns the refusal of the body, or null. */
    RequestRefusal finish() {
        try {
            if (decompressor.status() != Status.COMPLETE) {
                decompressor.endOfInput();
            }
            return null;
        } catch (DecompressionException e) {
            return corrupt(e);
        } finally {
            close();
        }
    }

    private RequestRefusal extraBytes() {
        return RequestRefusal.corrupt(format(), "extra bytes after its end");
    }

    private RequestRefusal corrupt(DecompressionException e) {
        Throwable cause = e.getCause() == null || e.getCause().getMessage() == null ? e : e.getCause();
        return RequestRefusal.corrupt(format(), cause.getMessage());
    }

    private String format() {
        return gzip ? "gzip" : "deflate";
    }

    @Override
    public void close() {
        if (decompressor != null) {
            decompressor.close();
            decompressor = null;
        }
    }
}
