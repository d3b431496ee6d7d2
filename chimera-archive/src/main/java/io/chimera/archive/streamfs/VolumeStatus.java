package io.chimera.archive.streamfs;

/**
 * A volume as of now. Counters begin with 0 when it is opened, apart from the turns.
 *
 * @param devices it is striped over
 * @param sizeBytes of all data blocks
 * @param guaranteeBytes sum over the streams
 * @param guaranteeBytesMax what the sum may be at most
 * @param turns how often the frontier has gone around, whole turns and the share of the current one
 * @param blocksWritten blocks that the frontier took
 * @param blocksSkipped blocks that it passed because they are guaranteed
 * @param blocksDamaged blocks that hold acknowledged records and could not be read when the volume was opened
 * @param bytesWritten to the devices, headers and padding counted
 * @param flushes that the devices have acknowledged
 * @param failure why the store takes nothing more; null: it does
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
        String failure) {}
