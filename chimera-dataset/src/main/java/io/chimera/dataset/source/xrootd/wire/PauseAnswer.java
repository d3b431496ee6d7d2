package io.chimera.dataset.source.xrootd.wire;

import java.nio.ByteBuffer;

/**
 * Answer that asks for a pause, or announces a late answer.
 *
 * @param seconds seconds, at least 0
 */
public record PauseAnswer(int seconds) {
    /**
     * Decodes an answer.
     *
     * @param body the body; text after the seconds is ignored
     * @throws AnswerException for a body outside the protocol
     */
    public static PauseAnswer decode(ByteBuffer body) throws AnswerException {
        if (body.remaining() < Integer.BYTES) {
            throw new AnswerException("a request for a pause has " + body.remaining() + " bytes");
        }
        int seconds = body.getInt();
        if (seconds < 0) {
            throw new AnswerException("a pause of " + seconds + " s is negative");
        }
        return new PauseAnswer(seconds);
    }
}
