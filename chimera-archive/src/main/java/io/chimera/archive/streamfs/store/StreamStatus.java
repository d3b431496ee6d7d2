package io.chimera.archive.streamfs.store;

/**
 * Snapshot of a stream.
 *
 * @param stream index of the stream
 * @param settings last settings of the stream
 * @param appended number of the last appended record; 0 before the first append
 * @param durable number of the last record safe against a loss of power
 * @param oldest number of the oldest held record; appended + 1 when no record is held
 * @param oldestTimeNs least time in the oldest held block; {@link Long#MAX_VALUE} when no block is held
 * @param blocks number of held blocks
 * @param heldBytes device bytes held, as counted for the guarantee
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
