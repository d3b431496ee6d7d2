package io.chimera.jni.stream;

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
        if (options.mechanism() != Mechanism.BEST) {
            String cause = unavailabilityCause(options.mechanism());
            if (!cause.isEmpty()) {
                throw new DeviceException(target + ": cannot be opened for " + options.mechanism() + ": " + cause, 0);
            }
        }
        return FileDevice.open(Path.of(target), options);
    }

    /** Whether devices can be written so here. */
    public static boolean isAvailable(Mechanism mechanism) {
        return unavailabilityCause(mechanism).isEmpty();
    }

    /** What a mechanism lacks here, and the remedy; empty when it lacks nothing. */
    public static String unavailabilityCause(Mechanism mechanism) {
        return mechanism == Mechanism.BEST || mechanism == Mechanism.JAVA
                ? ""
                : "the native library has no devices in this version.";
    }
}
