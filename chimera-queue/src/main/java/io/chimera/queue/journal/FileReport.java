package io.chimera.queue.journal;

import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What one file of a journal holds.
 *
 * @param path of the file
 * @param bytes size of the file; most of it may be sparse
 * @param validBytes where the valid part ends
 * @param batches whole batches in the valid part
 * @param streams what it holds of each stream
 * @param damage why the valid part ends before what was written does; empty for a good file
 */
public record FileReport(
        Path path,
        long bytes,
        long validBytes,
        long batches,
        SortedMap<Long, StreamTally> streams,
        Optional<Damage> damage) {
    /** Batches that follow a gap in their streams. */
    public long batchesBehindGap() {
        return streams.values().stream()
                .mapToLong(StreamTally::batchesBehindGap)
                .sum();
    }

    /** The same without damage: for the end of a file that is being written meanwhile. */
    FileReport withoutDamage() {
        return new FileReport(path, bytes, validBytes, batches, streams, Optional.empty());
    }
}
