package io.chimera.archive.streamfs;

/**
 * A stream as of now.
 *
 * @param stream its number
 * @param settings what it was opened with last
 * @param appended number of the last record that was appended; 0: none ever
 * @param durable number of the last record that survives a loss of power
 * @param oldest number of the oldest record that is held; appended + 1 when none is
 * @param oldestTimeNs least time of the oldest block that is held; {@link Long#MAX_VALUE} when none is
 * @param blocks that hold its records
 * @param heldBytes of the device that it takes, what counts for its guarantee
 */
public record StreamStatus(
        int stream,
        StreamSettings settings,
        long appended,
        long durable,
        long oldest,
        long oldestTimeNs,
        long blocks,
        long heldBytes) {}
