package io.chimera.api.spi;

/** The store did not acknowledge a batch. */
public final class StoreException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean retryable;

    /**
     * A failure with its cause.
     *
     * @param message what failed, at which address, and what to do about it
     * @param retryable true when the same batch may succeed later; false when the store refuses its content
     * @param cause what happened, or null
     */
    public StoreException(String message, boolean retryable, Throwable cause) {
        super(message, cause);
        this.retryable = retryable;
    }

    /**
     * Whether the same batch may succeed later.
     *
     * @return false when the store refuses the content itself
     */
    public boolean retryable() {
        return retryable;
    }
}
