package io.chimera.jni.capture;

/** Failure to open or read a source of packets. The message names the source, the error and the remedy. */
public final class CaptureException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    /**
     * Creates an exception for an error of the system or of a file.
     *
     * @param errno error number of the system; 0 without a number
     */
    public CaptureException(String message, int errno) {
        super(message);
        this.errno = errno;
    }

    /** Creates an exception for an error found in Java. */
    public CaptureException(String message, Throwable cause) {
        super(message, cause);
        errno = 0;
    }

    /** Returns the error number of the system; 0 without a number. */
    public int errno() {
        return errno;
    }
}
