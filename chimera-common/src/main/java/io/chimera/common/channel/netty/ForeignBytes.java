package io.chimera.common.channel.netty;

import io.chimera.common.channel.WireProtocol;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The beginning of a connection in another protocol than that of its port. Goes through the pipeline as an event.
 *
 * @param refusal names the protocol and the remedy
 * @param beginning first bytes, one character each
 * @param isAnswered whether the client was sent the refusal
 */
record ForeignBytes(String refusal, String beginning, boolean isAnswered) {
    /** Bytes in which a protocol is recognised. */
    static final int LENGTH_MAX = WireProtocol.LENGTH_MAX;

    /** Length of a TLS record header and the type behind it, the most that a binary protocol takes to be recognised. */
    static final int BINARY_LENGTH_MIN = 6;

    /** The beginning of a connection, without consuming it. */
    static byte[] peek(ByteBuf in) {
        byte[] bytes = new byte[Math.min(in.readableBytes(), LENGTH_MAX)];
        in.getBytes(in.readerIndex(), bytes);
        return bytes;
    }

    static ForeignBytes of(String refusal, byte[] beginning, boolean isAnswered) {
        return new ForeignBytes(refusal, new String(beginning, StandardCharsets.ISO_8859_1), isAnswered);
    }

    /** Recognises a protocol other than HTTP at the beginning of a connection for HTTP. */
    static Optional<ForeignBytes> toHttp(ByteBuf in) {
        byte[] beginning = peek(in);
        return WireProtocol.foreign(beginning, 0, beginning.length, WireProtocol.HTTP)
                .map(protocol -> of(protocol.refusal(), beginning, false));
    }
}
