package io.chimera.dataset.source.xrootd.wire;

import java.nio.ByteBuffer;

/**
 * The first eight bytes of an answer: stream id (2 bytes), status (2), length of the body (4).
 *
 * @param streamId stream id of the request, 0 to 65,535
 * @param status status
 * @param length length of the body in bytes, at least 0
 */
public record AnswerHeader(int streamId, AnswerStatus status, int length) {
    /** Length of a header in bytes. */
    public static final int BYTES = 8;

    /**
     * Length in bytes of the start of a message with an answer inside: action (4) and reserved (4). The header of the
     * answer follows.
     */
    public static final int MESSAGE_BYTES = 8;

    private static final int ACTION_ANSWER = 5008;

    /**
     * Decodes a header.
     *
     * @param in a buffer with at least {@link #BYTES} bytes; its position moves
     * @throws AnswerException for an unknown status or a negative length
     */
    public static AnswerHeader decode(ByteBuffer in) throws AnswerException {
        int streamId = in.getShort() & 0xFFFF;
        AnswerStatus status = AnswerStatus.of(in.getShort() & 0xFFFF);
        int length = in.getInt();
        if (length < 0) {
            throw new AnswerException("length " + length + " of an answer is negative");
        }
        return new AnswerHeader(streamId, status, length);
    }

    /**
     * Returns whether a message carries an answer.
     *
     * @param message the first {@link #MESSAGE_BYTES} bytes of a message; its position moves
     */
    public static boolean isAnswerInside(ByteBuffer message) {
        int action = message.getInt();
        message.getInt();
        return action == ACTION_ANSWER;
    }
}
