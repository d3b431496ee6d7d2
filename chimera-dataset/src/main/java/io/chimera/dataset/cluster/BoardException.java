package io.chimera.dataset.cluster;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown when the record of jobs cannot be read or written now. A failed write may still have had its effect. */
public final class BoardException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what failed, and the remedy
     * @param cause the cause, or null
     */
    public BoardException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
