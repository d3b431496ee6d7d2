package io.chimera.api.spi;

import org.jspecify.annotations.Nullable;

/** Thrown when a store did not acknowledge a batch. */
public final class StoreException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean retryable;

    /**
     * Creates an exception with a cause.
     *
     * @param message failed operation, address, and remedy
     * @param retryable true when the same batch may succeed later; false when the store refuses the content of the
     *     batch
     * @param cause the cause, or null
     */
    public StoreException(String message, boolean retryable, @Nullable Throwable cause) {
        super(message, cause);
        this.retryable = retryable;
    }

    /**
     * Returns whether the same batch may succeed later.
     *
     * @return false when the store refuses the content of the batch
     */
    public boolean retryable() {
        return retryable;
    }
}
