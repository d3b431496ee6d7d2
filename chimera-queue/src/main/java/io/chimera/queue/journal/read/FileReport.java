package io.chimera.queue.journal.read;

import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Contents of one journal file.
 *
 * @param path path of the file
 * @param bytes size of the file; most of the file may be sparse
 * @param validBytes end of the valid part
 * @param batches whole batches in the valid part
 * @param streams contents by stream
 * @param damage reason why the valid part ends before the written data; empty for an intact file
 */
public record FileReport(
        Path path,
        long bytes,
        long validBytes,
        long batches,
        SortedMap<Long, StreamTally> streams,
        Optional<Damage> damage) {
    /** Number of batches after a gap in their streams. */
    public long batchesBehindGap() {
        return streams.values().stream()
                .mapToLong(StreamTally::batchesBehindGap)
                .sum();
    }

    /** The same report without damage, for the end of a file still being written. */
    public FileReport withoutDamage() {
        return new FileReport(path, bytes, validBytes, batches, streams, Optional.empty());
    }
}
