package io.chimera.archive.index;

import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamCursor;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.archive.streamfs.store.StreamStatus;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.error.ChimeraException;

/**
 * Finds the time of a record by its number. The store finds records by time, so the time is bisected: at most 64 reads
 * of a few KiB each. Confined to the thread of the reader.
 */
final class TimeOfNumber {
    private final StreamStore store;
    private final StreamReader reader;
    private final int stream;
    private final RecordView view = new RecordView();

    TimeOfNumber(StreamStore store, StreamReader reader, int stream) {
        this.store = store;
        this.reader = reader;
        this.stream = stream;
    }

    /**
     * Returns a time from which a cursor begins at the record, or at most the given number of records before.
     *
     * @return Long.MIN_VALUE for an empty stream
     */
    long atOrBefore(long number, int records) {
        long low = status(store, stream).oldestTimeNs();
        if (low == Long.MAX_VALUE) {
            return Long.MIN_VALUE;
        }
        long high = Long.MAX_VALUE;
        while (low < high - 1) {
            long middle = low + ((high - low) >>> 1);
            long found = numberAt(middle);
            if (found < 0 || found > number) {
                high = middle;
            } else {
                low = middle;
                if (found + records > number) {
                    break;
                }
            }
        }
        return low;
    }

    /** Returns the status of a stream by index; the list has gaps after removed streams. */
    static StreamStatus status(StreamStore store, int stream) {
        return store.streams().stream()
                .filter(status -> status.stream() == stream)
                .findFirst()
                .orElseThrow();
    }

    private long numberAt(long timeNs) {
        try (StreamCursor cursor = reader.cursor(stream, timeNs)) {
            return cursor.next(view) ? view.number() : -1;
        } catch (ChimeraException e) {
            return 0; // a damaged record exists here, but is not near enough
        }
    }
}
