package io.chimera.node.dataset.board;

/** Signals a record of jobs that cannot be decoded; the message names the defect. */
final class MalformedRecordException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedRecordException(String message, Throwable cause) {
        super(message, cause);
    }
}
