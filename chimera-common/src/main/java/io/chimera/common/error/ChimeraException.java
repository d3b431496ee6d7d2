package io.chimera.common.error;

/** Operating error: disk, network, store, configuration. The message names the place and the remedy. */
public class ChimeraException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Severity of an error. */
    public enum Category {
        /** The node cannot continue and stops. */
        FATAL,
        /** Data are at risk until an operator acts; the node continues. */
        ERROR,
        /** The node recovers by itself. */
        WARN
    }

    private final Category category;

    /** Creates an error without a cause. */
    public ChimeraException(Category category, String message) {
        this(category, message, null);
    }

    /** Creates an error with a cause, possibly null. */
    public ChimeraException(Category category, String message, Throwable cause) {
        super(message, cause);
        this.category = category;
    }

    /** Severity of the error. */
    public Category category() {
        return category;
    }
}
