package io.chimera.archive.index;

import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamCursor;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;

/**
 * Reads a stream and skips unreadable records: the record numbers show the gap. Confined to the thread of its reader.
 */
final class PatientCursor implements StreamCursor {
    /** Number of consecutive failures that indicates a failed device instead of damaged records. */
    private static final int FAILURES_MAX = 64;

    private final StreamCursor cursor;
    private long failures;

    PatientCursor(StreamCursor cursor) {
        this.cursor = cursor;
    }

    @Override
    public boolean next(RecordView into) {
        for (int inARow = 1; ; inARow++) {
            try {
                return cursor.next(into);
            } catch (ChimeraException e) {
                failures++;
                if (inARow == FAILURES_MAX) {
                    throw new ChimeraException(
                            Category.ERROR,
                            FAILURES_MAX
                                    + " reads of a stream in a row failed, which indicates a faulty device: "
                                    + e.getMessage()
                                    + " Check the device and its connection, then restart; if the failure persists,"
                                    + " create a new volume on another device.",
                            e);
                }
            }
        }
    }

    /** Returns the number of skipped read failures. */
    long failures() {
        return failures;
    }

    @Override
    public void close() {
        cursor.close();
    }
}
