package io.chimera.archive.streamfs.store;

import org.agrona.concurrent.UnsafeBuffer;

/** View of a record, valid until the next read of the same reader or cursor. Confined to the reading thread. */
public final class RecordView {
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private int stream;
    private long number;
    private long timeNs;
    private long location;
    private long check;

    /** Creates an empty view. */
    public RecordView() {}

    /** Sets the header fields, for stores. The payload memory must stay unchanged until the next read. */
    public void wrap(int streamOf, long numberOf, long timeNsOf, long locationOf, long checkOf) {
        stream = streamOf;
        number = numberOf;
        timeNs = timeNsOf;
        location = locationOf;
        check = checkOf;
    }

    /** Returns the index of the stream. */
    public int stream() {
        return stream;
    }

    /** Returns the number of the record in its stream: 1, 2, 3 ... */
    public long number() {
        return number;
    }

    /** Returns the time given to the append. */
    public long timeNs() {
        return timeNs;
    }

    /** Returns the handle of the record; each call allocates a new handle. */
    public RecordHandle handle() {
        return new RecordHandle(location, check);
    }

    /** Returns the payload, from index 0 to the capacity. */
    public UnsafeBuffer buffer() {
        return buffer;
    }
}
