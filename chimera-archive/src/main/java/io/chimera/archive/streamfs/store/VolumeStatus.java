package io.chimera.archive.streamfs.store;

import org.jspecify.annotations.Nullable;

/**
 * Snapshot of a volume. Counters start at 0 when the volume is opened, except the turns.
 *
 * @param devices number of striped devices
 * @param sizeBytes total size of the data blocks
 * @param guaranteeBytes sum over the streams
 * @param guaranteeBytesMax limit for the sum of guarantees
 * @param turns turns of the frontier around the volume, with the fraction of the current turn
 * @param blocksWritten blocks placed by the frontier
 * @param blocksSkipped guaranteed blocks passed by the frontier
 * @param blocksDamaged blocks with acknowledged records, unreadable when the volume was opened
 * @param bytesWritten bytes written to the devices, including headers and padding
 * @param flushes flushes acknowledged by the devices
 * @param failure reason why the store has stopped; null while the store works
 */
public record VolumeStatus(
        int devices,
        long sizeBytes,
        long guaranteeBytes,
        long guaranteeBytesMax,
        double turns,
        long blocksWritten,
        long blocksSkipped,
        long blocksDamaged,
        long bytesWritten,
        long flushes,
        @Nullable String failure) {}
