package io.chimera.archive.streamfs;

import org.agrona.concurrent.UnsafeBuffer;

/** A record that was read: valid until its reader or cursor reads the next. Of the thread that reads. */
public final class RecordView {
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private int stream;
    private long number;
    private long timeNs;
    private long location;
    private long check;

    /** Holds nothing yet. */
    public RecordView() {}

    /** For stores: what was read, in memory that stays as it is until the next read. */
    void wrap(int streamOf, long numberOf, long timeNsOf, long locationOf, long checkOf) {
        stream = streamOf;
        number = numberOf;
        timeNs = timeNsOf;
        location = locationOf;
        check = checkOf;
    }

    /** The stream it belongs to. */
    public int stream() {
        return stream;
    }

    /** Its number in the stream: 1, 2, 3 ... */
    public long number() {
        return number;
    }

    /** The time that it was appended with. */
    public long timeNs() {
        return timeNs;
    }

    /** Its handle, allocated by this call. */
    public RecordHandle handle() {
        return new RecordHandle(location, check);
    }

    /** Its bytes, from index 0 to the capacity. */
    public UnsafeBuffer buffer() {
        return buffer;
    }
}
