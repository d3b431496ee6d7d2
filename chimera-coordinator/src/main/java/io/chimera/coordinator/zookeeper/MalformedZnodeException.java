package io.chimera.coordinator.zookeeper;

/** The content of a znode is not what it must be; the message says what is wrong with it. */
final class MalformedZnodeException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedZnodeException(String message) {
        super(message);
    }

    MalformedZnodeException(String message, Throwable cause) {
        super(message, cause);
    }
}
