package io.chimera.archive.index;

import io.chimera.archive.streamfs.RecordView;
import io.chimera.archive.streamfs.StreamCursor;
import io.chimera.common.error.ChimeraException;

/** Reads a stream and passes over records that are damaged. Of the thread of its reader. */
final class PatientCursor implements StreamCursor {
    /** So many failures one after the other are not of single records. */
    private static final int FAILURES_MAX = 64;

    private final StreamCursor cursor;

    PatientCursor(StreamCursor cursor) {
        this.cursor = cursor;
    }

    @Override
    public boolean next(RecordView into) {
        for (int failures = 1; ; failures++) {
            try {
                return cursor.next(into);
            } catch (ChimeraException e) {
                if (failures == FAILURES_MAX) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void close() {
        cursor.close();
    }
}
