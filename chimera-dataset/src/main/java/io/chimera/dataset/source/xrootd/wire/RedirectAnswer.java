package io.chimera.dataset.source.xrootd.wire;

import java.nio.ByteBuffer;

/**
 * Answer that names another server.
 *
 * @param server the server
 * @param opaque text for the next request, {@code key=value} joined by {@code &}; may carry credentials; may be empty
 */
public record RedirectAnswer(ServerAddress server, String opaque) {
    private static final int PORT_BYTES = 4;

    /**
     * Decodes an answer. A token for the login, after a second question mark, is ignored, as XRootD's own client does.
     *
     * @param body the body
     * @throws AnswerException for a body outside the protocol, and for a redirect by URL, for which this client does
     *     not ask in its login
     */
    public static RedirectAnswer decode(ByteBuffer body) throws AnswerException {
        if (body.remaining() <= PORT_BYTES) {
            throw new AnswerException("a redirect has " + body.remaining() + " bytes");
        }
        int port = body.getInt();
        if (port < 0) {
            throw new AnswerException("a redirect has a URL in place of host and port");
        }
        String[] parts = AnswerText.decode(body).split("\\?", 3);
        try {
            ServerAddress server = ServerAddress.parse(parts[0], port == 0 ? ServerAddress.PORT_DEFAULT : port);
            return new RedirectAnswer(server, parts.length < 2 ? "" : parts[1]);
        } catch (IllegalArgumentException e) {
            throw new AnswerException("the target of a redirect is malformed: " + e.getMessage());
        }
    }

    /** Returns the server only; the opaque text may carry credentials. */
    @Override
    public String toString() {
        return "RedirectAnswer[" + server + "]";
    }
}
