package io.chimera.coordinator.zookeeper;

import java.io.IOException;

/** Thrown when ZooKeeper does not answer, or refuses a request. A failed write may still have had its effect. */
public final class TreeException extends IOException {
    private static final long serialVersionUID = 1L;

    TreeException(String message, Throwable cause) {
        super(message, cause);
    }

    TreeException(String message) {
        super(message);
    }
}
