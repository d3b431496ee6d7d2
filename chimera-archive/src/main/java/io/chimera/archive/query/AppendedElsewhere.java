package io.chimera.archive.query;

import io.chimera.archive.streamfs.ForwardingStore;
import io.chimera.archive.streamfs.RecordHandle;
import io.chimera.archive.streamfs.StreamStore;
import org.agrona.DirectBuffer;

/**
 * A store as one thread beside the writer's sees it: a record that it appends is taken by the writer with its next {@link #doWork}, and
 * until then there is no room. So that thread tries again with the same record, as whoever appends does, and leaves its bytes alone.
 */
final class AppendedElsewhere extends ForwardingStore {
    /** Of the thread beside, until it is taken. */
    private volatile Request request;

    /** Of the writer, until it is fetched. */
    private volatile RecordHandle appended;

    private record Request(int stream, long timeNs, DirectBuffer from, int offset, int length) {}

    AppendedElsewhere(StreamStore store) {
        super(store);
    }

    @Override
    public RecordHandle append(int stream, long timeNs, DirectBuffer from, int offset, int length) {
        if (request != null) { // first: what the writer has appended is there before the request is gone
            return null;
        }
        RecordHandle handle = appended;
        appended = null;
        if (handle == null) {
            request = new Request(stream, timeNs, from, offset, length);
        }
        return handle;
    }

    /**
     * Takes what waits. The writer's thread.
     *
     * @return 0 when there was nothing, or no room
     */
    int take() {
        Request next = request;
        if (next == null) {
            return 0;
        }
        RecordHandle handle = super.append(next.stream, next.timeNs, next.from, next.offset, next.length);
        if (handle == null) {
            return 0;
        }
        appended = handle;
        request = null; // last: only then is another one made
        return 1;
    }

    @Override
    public int doWork() {
        return take() + super.doWork();
    }

    /** The store is whoever's opened it. */
    @Override
    public void close() {
        // nothing is held here
    }
}
