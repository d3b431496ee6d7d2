package io.chimera.jni.stream;

/**
 * Options for opening a device.
 *
 * @param mechanism write mechanism
 * @param depth maximum number of writes and flushes in flight, 1 to 256
 * @param bytes size of a file, which is created or extended as needed; 0: use the existing size
 */
public record DeviceOptions(Mechanism mechanism, int depth, long bytes) {

    /** Default depth: disks are about as fast with 4 as with 8; a greater depth only delays a flush. */
    public static final int DEPTH_DEFAULT = 8;

    private static final int DEPTH_MAX = 256;

    /** Validates the ranges. */
    public DeviceOptions {
        if (depth < 1 || depth > DEPTH_MAX) {
            throw new IllegalArgumentException(
                    "The depth must be 1 to " + DEPTH_MAX + " writes in flight, not " + depth + ".");
        }
        if (bytes < 0) {
            throw new IllegalArgumentException("The size of a device must not be " + bytes + " bytes.");
        }
    }

    /** Returns options for an existing device, partition or file. */
    public static DeviceOptions existing() {
        return new DeviceOptions(Mechanism.BEST, DEPTH_DEFAULT, 0);
    }

    /** Returns options for a file of a given size, created if missing. */
    public static DeviceOptions file(long bytes) {
        return existing().withBytes(bytes);
    }

    /** Returns a copy with another mechanism. */
    public DeviceOptions withMechanism(Mechanism other) {
        return new DeviceOptions(other, depth, bytes);
    }

    /** Returns a copy with another number of operations in flight. */
    public DeviceOptions withDepth(int other) {
        return new DeviceOptions(mechanism, other, bytes);
    }

    /** Returns a copy with another size, in bytes. */
    public DeviceOptions withBytes(long other) {
        return new DeviceOptions(mechanism, depth, other);
    }
}
