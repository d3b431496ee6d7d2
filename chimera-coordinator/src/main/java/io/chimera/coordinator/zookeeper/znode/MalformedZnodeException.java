package io.chimera.coordinator.zookeeper.znode;

/** Signals malformed content of a znode; the message names the defect. */
public final class MalformedZnodeException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Creates an exception; the message completes "Znode … cannot be used because …". */
    public MalformedZnodeException(String message) {
        super(message);
    }

    MalformedZnodeException(String message, Throwable cause) {
        super(message, cause);
    }
}
