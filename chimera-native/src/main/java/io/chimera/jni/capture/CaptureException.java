package io.chimera.jni.capture;

/** A source of packets that cannot be opened or read. The message names the source, what is wrong, and the remedy. */
public final class CaptureException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    /**
     * An error of the system or of a file.
     *
     * @param errno the system's number for it; 0 when it has none
     */
    public CaptureException(String message, int errno) {
        super(message);
        this.errno = errno;
    }

    /** An error found in Java. */
    public CaptureException(String message, Throwable cause) {
        super(message, cause);
        errno = 0;
    }

    /** The system's number for the error; 0 when it has none. */
    public int errno() {
        return errno;
    }
}
