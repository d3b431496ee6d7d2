package io.chimera.dataset.source;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Thrown when a data source did not deliver bytes. The message names object, place and remedy, and no credentials. */
public final class SourceException extends IOException {
    private static final long serialVersionUID = 1L;

    private final SourceFault fault;
    private final transient Duration retryAfter;

    /**
     * Creates an exception.
     *
     * @param fault the reason
     * @param message object, defect and remedy; never credentials
     * @param retryAfter pause that the source asks for; zero without a request
     * @param cause the cause, or null
     */
    public SourceException(SourceFault fault, String message, Duration retryAfter, @Nullable Throwable cause) {
        super(message, cause);
        this.fault = fault;
        this.retryAfter = retryAfter;
    }

    /**
     * Creates an exception without a requested pause and without a cause.
     *
     * @param fault the reason
     * @param message object, defect and remedy; never credentials
     */
    public SourceException(SourceFault fault, String message) {
        this(fault, message, Duration.ZERO, null);
    }

    /** Returns the reason. */
    public SourceFault fault() {
        return fault;
    }

    /** Returns the pause that the source asks for; zero without a request. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
