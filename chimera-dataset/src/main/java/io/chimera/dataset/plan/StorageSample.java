package io.chimera.dataset.plan;

import java.util.OptionalDouble;

/**
 * Measurement of the storage of a data node.
 *
 * @param writeBytesPerSecond rate of writing, the data forced to the device; absent counts as no limit
 * @param readBytesPerSecond rate of reading; absent counts as no limit
 */
public record StorageSample(OptionalDouble writeBytesPerSecond, OptionalDouble readBytesPerSecond) {
    /** No measurement. */
    public static final StorageSample UNKNOWN = new StorageSample(OptionalDouble.empty(), OptionalDouble.empty());

    /**
     * Checks the values.
     *
     * @param writeBytesPerSecond more than 0
     * @param readBytesPerSecond more than 0
     */
    public StorageSample {
        if (!(writeBytesPerSecond.orElse(1) > 0) || !(readBytesPerSecond.orElse(1) > 0)) {
            throw new IllegalArgumentException("storage writes " + writeBytesPerSecond + " and reads "
                    + readBytesPerSecond + "; expected positive rates");
        }
    }

    /** Returns a measurement with both rates, in bytes per second. */
    public static StorageSample of(double writeBytesPerSecond, double readBytesPerSecond) {
        return new StorageSample(OptionalDouble.of(writeBytesPerSecond), OptionalDouble.of(readBytesPerSecond));
    }
}
