package io.chimera.jni.stream;

/**
 * How a device is opened.
 *
 * @param mechanism how it is written
 * @param depth writes and flushes that may be in flight, 1 to 256
 * @param bytes size of a file, which is made, or made longer, where it is shorter; 0: what is there is taken as it is
 */
public record DeviceOptions(Mechanism mechanism, int depth, long bytes) {

    /** Disks are about as fast with 4 as with 8; more only makes a flush wait longer. */
    public static final int DEPTH_DEFAULT = 8;

    private static final int DEPTH_MAX = 256;

    /** Checks the bounds. */
    public DeviceOptions {
        if (depth < 1 || depth > DEPTH_MAX) {
            throw new IllegalArgumentException(
                    "Between 1 and " + DEPTH_MAX + " writes may be in flight, not " + depth + ".");
        }
        if (bytes < 0) {
            throw new IllegalArgumentException("The size of a device is not " + bytes + " bytes.");
        }
    }

    /** For what is there: a device, a partition or a file. */
    public static DeviceOptions existing() {
        return new DeviceOptions(Mechanism.BEST, DEPTH_DEFAULT, 0);
    }

    /** For a file of so many bytes, which is made where it is not there. */
    public static DeviceOptions file(long bytes) {
        return existing().withBytes(bytes);
    }

    /** The same with another mechanism. */
    public DeviceOptions withMechanism(Mechanism other) {
        return new DeviceOptions(other, depth, bytes);
    }

    /** The same with another number of operations in flight. */
    public DeviceOptions withDepth(int other) {
        return new DeviceOptions(mechanism, other, bytes);
    }

    /** The same with another size, in bytes. */
    public DeviceOptions withBytes(long other) {
        return new DeviceOptions(mechanism, depth, other);
    }
}
