package io.chimera.dataset.source.xrootd.wire;

/** Status of an answer, with its number in the protocol. */
public enum AnswerStatus {
    /** The last, or only, part of a complete answer. */
    OK(0),
    /** A part of an answer; further parts follow. */
    OK_SO_FAR(4000),
    /** A message of the server; with an answer to an earlier request inside, or without. */
    ATTENTION(4001),
    /** The login needs another step of a security plugin. */
    AUTH_MORE(4002),
    /** The request failed. */
    ERROR(4003),
    /** Another server answers the request. */
    REDIRECT(4004),
    /** The client repeats the request after a pause. */
    WAIT(4005),
    /** The answer follows later, inside a message. */
    WAIT_FOR_ANSWER(4006),
    /** An answer with a checksum per page; only for requests that this client does not send. */
    PAGED(4007);

    private final int code;

    AnswerStatus(int code) {
        this.code = code;
    }

    /** Returns the number in the protocol. */
    public int code() {
        return code;
    }

    static AnswerStatus of(int code) throws AnswerException {
        for (AnswerStatus status : values()) {
            if (status.code == code) {
                return status;
            }
        }
        throw new AnswerException("status " + code + " is unknown");
    }
}
