package io.chimera.coordinator.zookeeper;

/** Signals malformed content of a znode; the message names the defect. */
final class MalformedZnodeException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedZnodeException(String message) {
        super(message);
    }

    MalformedZnodeException(String message, Throwable cause) {
        super(message, cause);
    }
}
