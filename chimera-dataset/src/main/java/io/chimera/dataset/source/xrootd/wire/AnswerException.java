package io.chimera.dataset.source.xrootd.wire;

import java.io.IOException;

/** Thrown for an answer outside the protocol. The message names the defect; the caller adds the server. */
public final class AnswerException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param defect the defect, without text of the server
     */
    public AnswerException(String defect) {
        super(defect);
    }
}
