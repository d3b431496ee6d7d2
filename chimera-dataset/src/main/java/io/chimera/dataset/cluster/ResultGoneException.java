package io.chimera.dataset.cluster;

import java.io.IOException;

/** Thrown when a worker does not have a result that it once reported. */
public final class ResultGoneException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message job, work and worker
     */
    public ResultGoneException(String message) {
        super(message);
    }
}
