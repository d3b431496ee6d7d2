package io.chimera.dataset.compute;

/** Thrown when the aggregates of a job need more memory than the job may use. */
public final class MemoryLimitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MemoryLimitException(String limit) {
        super("the aggregates exceed " + limit + "; use shorter windows, fewer groups, or more memory");
    }
}
