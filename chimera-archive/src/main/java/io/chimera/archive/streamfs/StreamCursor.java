package io.chimera.archive.streamfs;

/** Reads a stream forwards, ahead of what was asked for. Of the thread of its reader. */
public interface StreamCursor extends AutoCloseable {
    /**
     * Takes the next record. Where the writer has overwritten what would come next, goes on with the oldest record that is held:
     * the numbers tell the gap.
     *
     * @return false at the end as of now; later calls see what was appended since
     * @throws io.chimera.common.error.ChimeraException a record is damaged, or a device does not answer; the next call
     *     goes on after the damage
     */
    boolean next(RecordView into);

    @Override
    void close();
}
