package io.chimera.dataset.format;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown when the content of an object is damaged, or is not of the declared format. Another attempt cannot help. */
public final class FormatException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message object, offset, defect and remedy
     * @param cause the cause, or null
     */
    public FormatException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
