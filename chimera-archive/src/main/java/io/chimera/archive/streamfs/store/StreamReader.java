package io.chimera.archive.streamfs.store;

/** Reads records while the writer appends. Each reader belongs to one thread; the number of readers is unlimited. */
public interface StreamReader extends AutoCloseable {
    /**
     * Reads one record. Appended records are visible at once, even before they reach the device.
     *
     * @param into overwritten when the record is found
     * @return false if the record was overwritten in order, or lost by a loss of power before its acknowledgement
     * @throws io.chimera.common.error.ChimeraException the handle is not of this volume, the record is damaged, or a
     *     device fails
     */
    boolean read(RecordHandle handle, RecordView into);

    /**
     * Reads the range between two records of one block with a single read. Until another record is read, records of the
     * range need no further device read. A failure of the read-ahead is reported by the read of the affected record. A
     * store without devices does nothing.
     *
     * @param last the same record or a later one, see {@link RecordHandle#isBeside}
     */
    default void readAhead(RecordHandle first, RecordHandle last) {}

    /**
     * Returns a cursor over a stream in append order.
     *
     * @param fromNs lower bound: the cursor delivers every record at or after this time, and possibly earlier records
     */
    StreamCursor cursor(int stream, long fromNs);

    /** Closes the reader; views of its records become invalid. */
    @Override
    void close();
}
