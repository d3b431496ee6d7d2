package io.chimera.archive.streamfs.store;

/** Reads a stream forwards with read-ahead. Confined to the thread of its reader. */
public interface StreamCursor extends AutoCloseable {
    /**
     * Reads the next record. If the writer has overwritten the next record, the cursor continues with the oldest held
     * record; the record numbers show the gap.
     *
     * @return false at the current end; later calls see newly appended records
     * @throws io.chimera.common.error.ChimeraException a record is damaged, or a device fails; the next call continues
     *     after the damage
     */
    boolean next(RecordView into);

    @Override
    void close();
}
