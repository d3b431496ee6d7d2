package io.chimera.jni.stream;

/** Failure to open or use a device. The message names the device, the error and the remedy. */
public final class DeviceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final int EPERM = 1;
    private static final int ENOENT = 2;
    private static final int ENXIO = 6;
    private static final int EACCES = 13;
    private static final int EBUSY = 16;
    private static final int ENODEV = 19;
    private static final int ENOSPC = 28;
    private static final int EROFS = 30;
    private static final int EDQUOT = 122;

    private final int errno;

    /**
     * Creates an exception for an error of the system.
     *
     * @param errno error number of the system; 0 without a number
     */
    public DeviceException(String message, int errno) {
        super(message);
        this.errno = errno;
    }

    /** Creates an exception for an error found in Java. */
    public DeviceException(String message, Throwable cause) {
        super(message, cause);
        errno = 0;
    }

    /**
     * Converts a device's result to an exception.
     *
     * @param operation {@code write}, {@code flush} or {@code read}
     * @param result -errno, or a number of bytes below the requested number
     */
    public static DeviceException of(String device, String operation, int result) {
        if (result >= 0) {
            return new DeviceException(
                    device + ": a " + operation + " ended after " + result
                            + " bytes: the device is shorter than when it was opened; restore its size.",
                    0);
        }
        return new DeviceException(
                device + ": a " + operation + " failed with error " + -result + ": " + remedy(-result), -result);
    }

    private static String remedy(int errno) {
        return switch (errno) {
            case -BlockDevice.EIO ->
                "I/O error of the disk; see the kernel log (dmesg). Copy the data that is still"
                        + " readable and replace the disk.";
            case ENXIO, ENODEV -> "the device is missing; reconnect it and restart.";
            case EPERM, EACCES -> "permission denied; run as the owner of the device, or as root.";
            case ENOENT -> "no such device; choose another path.";
            case EBUSY -> "device in use; unmount it, or stop the process that uses it.";
            case ENOSPC, EDQUOT -> "the file system is full; free some space.";
            case EROFS -> "the device is read-only; make it writable (blockdev --setrw, mount -o remount,rw).";
            default -> "see errno(3).";
        };
    }

    /** Returns the error number of the system; 0 without a number. */
    public int errno() {
        return errno;
    }
}
