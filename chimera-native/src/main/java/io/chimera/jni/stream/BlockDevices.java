package io.chimera.jni.stream;

import io.chimera.api.HotPath;
import java.nio.file.Path;

/** Opens devices, and reports the write mechanisms available on this machine. Thread-safe. */
public final class BlockDevices {

    private BlockDevices() {}

    /**
     * Opens a device, a partition or a file for exclusive use by this process. {@code toString()} of the result
     * describes the device, including use of the page cache.
     *
     * @param target path of a block device or of a file
     * @throws DeviceException with the error and the remedy in its message
     */
    public static BlockDevice open(String target, DeviceOptions options) {
        Mechanism mechanism = options.mechanism();
        FileDevice.refuseWhatIsOpen(Path.of(target));
        if (mechanism == Mechanism.JAVA || (mechanism == Mechanism.BEST && !DeviceLibrary.isLoaded())) {
            return FileDevice.open(Path.of(target), options);
        }
        String cause = unavailabilityCause(mechanism);
        if (!cause.isEmpty()) {
            throw new DeviceException(target + ": cannot be opened: " + cause, 0);
        }
        return new NativeDevice(target, options);
    }

    /** Whether a mechanism is available on this machine. */
    public static boolean isAvailable(Mechanism mechanism) {
        return unavailabilityCause(mechanism).isEmpty();
    }

    /** Returns the missing requirement of a mechanism and the remedy; empty when available. */
    public static String unavailabilityCause(Mechanism mechanism) {
        return switch (mechanism) {
            case BEST, JAVA -> "";
            case IO_URING, PWRITE -> DeviceLibrary.unavailabilityCause(mechanism);
        };
    }

    /** Rejects unaligned or out-of-range accesses, which indicate a bug of the caller. */
    @HotPath
    static void requireWithin(BlockDevice device, long offset, long address, int length) {
        int beyond = device.alignment() - 1;
        if (offset < 0
                || length <= 0
                || length > device.size() - offset
                || ((offset | address | length) & beyond) != 0) {
            throw new IllegalArgumentException(length + " bytes at " + offset + " from address " + address
                    + " are not within the device, or not aligned: " + device);
        }
    }

    /** Describes a device for logs. */
    static String description(BlockDevice device, String target, String mechanism, boolean isDirect) {
        return target + " (" + device.size() + " bytes, sectors of " + device.alignment() + ", " + mechanism + ", "
                + (isDirect
                        ? "past the page cache)"
                        : "through the page cache, because the file system lacks O_DIRECT)");
    }
}
