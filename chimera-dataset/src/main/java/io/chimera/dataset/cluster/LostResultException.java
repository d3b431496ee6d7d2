package io.chimera.dataset.cluster;

import io.chimera.dataset.cluster.WorkerReport.LostResult;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown when a result cannot be read at its place. */
final class LostResultException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient LostResult lost;

    LostResultException(LostResult lost, @Nullable Throwable cause) {
        super("the result of " + lost.task() + " cannot be read at its place", cause);
        this.lost = lost;
    }

    LostResult lost() {
        return lost;
    }
}
