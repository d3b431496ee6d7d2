package io.chimera.archive.query.packet;

import io.chimera.archive.streamfs.store.ForwardingStore;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.StreamStore;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * View of a store for a second thread next to the writer's. The writer's thread appends the requested record in its
 * next {@link #doWork}; until then {@link #append} returns null. The second thread therefore retries with the same
 * record, as any appender does, and leaves the bytes unchanged.
 */
final class AppendedElsewhere extends ForwardingStore {
    /** Request of the second thread, until the writer's thread accepts the record. */
    private volatile @Nullable Request request;

    /** Handle from the writer's thread, until the second thread fetches the handle. */
    private volatile @Nullable RecordHandle appended;

    private record Request(int stream, long timeNs, DirectBuffer from, int offset, int length) {}

    AppendedElsewhere(StreamStore store) {
        super(store);
    }

    @Override
    public @Nullable RecordHandle append(int stream, long timeNs, DirectBuffer from, int offset, int length) {
        if (request != null) { // read before the handle: the writer sets the handle before clearing the request
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
     * Appends the waiting record. Writer's thread.
     *
     * @return 0 if there was no request or no room
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
        request = null; // cleared last: the second thread makes the next request only afterwards
        return 1;
    }

    @Override
    public int doWork() {
        return take() + super.doWork();
    }

    /** Does nothing: the store belongs to its opener. */
    @Override
    public void close() {
        // no resources
    }
}
