package io.chimera.jni.stream;

/** A device that cannot be opened or used. The message names the device, what is wrong, and the remedy. */
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
     * An error of the system.
     *
     * @param errno the system's number for it; 0 when it has none
     */
    public DeviceException(String message, int errno) {
        super(message);
        this.errno = errno;
    }

    /** An error found in Java. */
    public DeviceException(String message, Throwable cause) {
        super(message, cause);
        errno = 0;
    }

    /**
     * What a result of a device means.
     *
     * @param operation {@code write}, {@code flush} or {@code read}
     * @param result -errno, or bytes, fewer than were asked for
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
                "the disk could not do it; the log of the kernel (dmesg) says why. Copy what is still"
                        + " readable and replace the disk.";
            case ENXIO, ENODEV -> "the device is gone; connect it again and restart.";
            case EPERM, EACCES -> "this user may not; run as the device's owner, or as root.";
            case ENOENT -> "it is not there; name another.";
            case EBUSY -> "it is in use; unmount it, or end the process that has it.";
            case ENOSPC, EDQUOT -> "there is no room for it on the file system; make some.";
            case EROFS -> "it is read-only; make it writable (blockdev --setrw, mount -o remount,rw).";
            default -> "see errno(3).";
        };
    }

    /** The system's number for the error; 0 when it has none. */
    public int errno() {
        return errno;
    }
}
