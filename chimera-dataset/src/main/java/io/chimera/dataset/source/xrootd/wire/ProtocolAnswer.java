package io.chimera.dataset.source.xrootd.wire;

import java.nio.ByteBuffer;

/**
 * Answer to a protocol request.
 *
 * @param version version of the protocol of the server
 * @param flags role of the server and demands on TLS, bits of the protocol
 */
public record ProtocolAnswer(int version, int flags) {
    private static final int BYTES_MIN = 8;
    private static final int MANAGER = 0x2;
    private static final int HAVE_TLS = 0x8000_0000;
    private static final int GO_TO_TLS = 0x4000_0000;
    private static final int TLS_FOR_SESSION = 0x0800_0000;

    /**
     * Decodes an answer.
     *
     * @param body the body
     * @throws AnswerException for a body outside the protocol
     */
    public static ProtocolAnswer decode(ByteBuffer body) throws AnswerException {
        if (body.remaining() < BYTES_MIN) {
            throw new AnswerException("the answer to a protocol request has " + body.remaining() + " bytes");
        }
        return new ProtocolAnswer(body.getInt(), body.getInt());
    }

    /** Returns whether the server redirects to data servers. */
    public boolean isManager() {
        return (flags & MANAGER) != 0;
    }

    /** Returns whether the TLS handshake follows this answer. */
    public boolean startsTls() {
        return (flags & GO_TO_TLS) != 0;
    }

    /** Returns whether the server demands TLS after the login. */
    public boolean needsTlsForSession() {
        return (flags & HAVE_TLS) != 0 && (flags & TLS_FOR_SESSION) != 0;
    }
}
