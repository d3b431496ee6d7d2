package io.chimera.common.channel.netty.socket;

import io.chimera.common.channel.WireProtocol;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Event for the beginning of a connection with a foreign protocol; passed through the pipeline.
 *
 * @param refusal names the protocol and the remedy
 * @param beginning first bytes, one character each
 * @param isAnswered whether the refusal was already sent to the client
 */
public record ForeignBytes(String refusal, String beginning, boolean isAnswered) {
    /** Maximum number of bytes for the recognition of a protocol. */
    public static final int LENGTH_MAX = WireProtocol.LENGTH_MAX;

    /** Number of bytes sufficient to recognize any binary protocol: a TLS record header and the following type. */
    public static final int BINARY_LENGTH_MIN = 6;

    /** Returns the beginning of a connection without consuming bytes. */
    static byte[] peek(ByteBuf in) {
        byte[] bytes = new byte[Math.min(in.readableBytes(), LENGTH_MAX)];
        in.getBytes(in.readerIndex(), bytes);
        return bytes;
    }

    static ForeignBytes of(String refusal, byte[] beginning, boolean isAnswered) {
        return new ForeignBytes(refusal, new String(beginning, StandardCharsets.ISO_8859_1), isAnswered);
    }

    /** Recognizes a protocol other than HTTP at the beginning of an HTTP connection. */
    public static Optional<ForeignBytes> toHttp(ByteBuf in) {
        byte[] beginning = peek(in);
        return WireProtocol.foreign(beginning, 0, beginning.length, WireProtocol.HTTP)
                .map(protocol -> of(protocol.refusal(), beginning, false));
    }
}
