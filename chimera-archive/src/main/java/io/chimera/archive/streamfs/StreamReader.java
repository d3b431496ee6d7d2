package io.chimera.archive.streamfs;

/** Reads records while others are written. Of one thread; any number of readers. */
public interface StreamReader extends AutoCloseable {
    /**
     * Reads one record. Sees appended records at once, also those that are not yet on the device.
     *
     * @param into overwritten when the record is there
     * @return false: the record is gone, overwritten in order, or it was never acknowledged and a loss of power took it
     * @throws io.chimera.common.error.ChimeraException the handle is not of this volume, the record is damaged, or a
     *     device does not answer
     */
    boolean read(RecordHandle handle, RecordView into);

    /**
     * Reads what lies from one record to another of the same block, in one read: until other records are read, reading these
     * does not go to the device any more. What cannot be read so is read when it is asked for. A store without devices does nothing.
     *
     * @param last the same record or a later one, see {@link RecordHandle#isBeside}
     */
    default void readAhead(RecordHandle first, RecordHandle last) {}

    /**
     * Reads a stream in order of appending.
     *
     * @param fromNs begins early enough for every record of this time or later; earlier ones may come, too
     */
    StreamCursor cursor(int stream, long fromNs);

    /** What was read may not be looked at any more. */
    @Override
    void close();
}
