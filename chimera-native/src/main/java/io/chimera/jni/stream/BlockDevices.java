package io.chimera.jni.stream;

import io.chimera.api.HotPath;
import java.nio.file.Path;

/** Opens devices, and knows by which mechanisms this machine can write them. Thread-safe. */
public final class BlockDevices {

    private BlockDevices() {}

    /**
     * Opens a device, a partition or a file for this process alone. {@code toString()} of what is returned says what it is,
     * and whether it is written past the page cache.
     *
     * @param target path of a block device or of a file
     * @throws DeviceException which names what is missing or wrong, and the remedy
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

    /** Whether devices can be written so here. */
    public static boolean isAvailable(Mechanism mechanism) {
        return unavailabilityCause(mechanism).isEmpty();
    }

    /** What a mechanism lacks here, and the remedy; empty when it lacks nothing. */
    public static String unavailabilityCause(Mechanism mechanism) {
        return switch (mechanism) {
            case BEST, JAVA -> "";
            case IO_URING, PWRITE -> DeviceLibrary.unavailabilityCause(mechanism);
        };
    }

    /** Refuses what a device cannot do and no caller may ask for. */
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

    /** What a device is, for logs. */
    static String description(BlockDevice device, String target, String mechanism, boolean isDirect) {
        return target + " (" + device.size() + " bytes, sectors of " + device.alignment() + ", " + mechanism + ", "
                + (isDirect
                        ? "past the page cache)"
                        : "through the page cache, as its file system knows no other way)");
    }
}
