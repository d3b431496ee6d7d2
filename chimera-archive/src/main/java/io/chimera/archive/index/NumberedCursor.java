package io.chimera.archive.index;

import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamCursor;
import io.chimera.archive.streamfs.store.StreamReader;

/**
 * Reads a stream from a record number. The time is only a hint: if it leads past the record, the stream is read from
 * its oldest record. Confined to the thread of its reader.
 */
final class NumberedCursor implements StreamCursor {
    private final StreamReader reader;
    private final int stream;
    private final long fromNumber;
    private StreamCursor cursor;
    private boolean isPlaced;

    NumberedCursor(StreamReader reader, int stream, long fromNumber, long hintNs) {
        this.reader = reader;
        this.stream = stream;
        this.fromNumber = fromNumber;
        cursor = new PatientCursor(reader.cursor(stream, hintNs));
        isPlaced = hintNs == Long.MIN_VALUE;
    }

    @Override
    public boolean next(RecordView into) {
        boolean isThere = cursor.next(into);
        if (!isPlaced && (!isThere || into.number() > fromNumber)) {
            cursor.close();
            cursor = new PatientCursor(reader.cursor(stream, Long.MIN_VALUE));
            isThere = cursor.next(into);
        }
        isPlaced = true;
        while (isThere && into.number() < fromNumber) {
            isThere = cursor.next(into);
        }
        return isThere;
    }

    @Override
    public void close() {
        cursor.close();
    }
}
