package io.chimera.common.error;

/** An operating error: disk, network, store, configuration. Its message names the place and the remedy. */
public class ChimeraException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** How bad it is. */
    public enum Category {
        /** The node cannot go on and stops. */
        FATAL,
        /** Data is at risk until somebody acts; the node goes on. */
        ERROR,
        /** The node helps itself. */
        WARN
    }

    private final Category category;

    /** An error without a cause of its own. */
    public ChimeraException(Category category, String message) {
        this(category, message, null);
    }

    /** An error with its cause, which may be null. */
    public ChimeraException(Category category, String message, Throwable cause) {
        super(message, cause);
        this.category = category;
    }

    /** How bad it is. */
    public Category category() {
        return category;
    }
}
