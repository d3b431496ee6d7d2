package io.chimera.dataset.cluster;

import java.io.IOException;

/** Thrown when a split cannot be read, and the fault may concern its object alone. */
final class BadSplitException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String fault;

    BadSplitException(String fault, IOException cause) {
        super(String.valueOf(cause.getMessage()), cause);
        this.fault = fault;
    }

    /** Returns the short name of the fault. */
    String fault() {
        return fault;
    }
}
