package io.chimera.dataset.source.xrootd.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Answer to an open request.
 *
 * @param handle handle of the open file, valid on its connection
 * @param stat stat information; null when the server does not send it
 */
public record OpenAnswer(int handle, @Nullable FileStat stat) {
    private static final int HANDLE_BYTES = 4;

    /** Page size and kind of compression, between handle and stat information. */
    private static final int COMPRESSION_BYTES = 8;

    /**
     * Decodes an answer.
     *
     * @param body the body
     * @throws AnswerException for a body outside the protocol
     */
    public static OpenAnswer decode(ByteBuffer body) throws AnswerException {
        if (body.remaining() < HANDLE_BYTES) {
            throw new AnswerException("the answer to an open request has " + body.remaining() + " bytes");
        }
        int handle = body.getInt();
        if (body.remaining() <= COMPRESSION_BYTES) {
            return new OpenAnswer(handle, null);
        }
        body.position(body.position() + COMPRESSION_BYTES);
        return new OpenAnswer(handle, FileStat.parse(AnswerText.decode(body)));
    }
}
