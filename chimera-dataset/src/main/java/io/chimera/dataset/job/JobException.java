package io.chimera.dataset.job;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown when a job cannot go on. The message names the split or window, the defect and the remedy. */
public final class JobException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message split or window, defect and remedy
     * @param cause the cause, or null
     */
    public JobException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
