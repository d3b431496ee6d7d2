package io.chimera.archive.streamfs.store;

import java.util.List;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Forwards every call to another store; subclasses override single methods. */
public abstract class ForwardingStore implements StreamStore {
    private final StreamStore store;

    /**
     * Wraps a store.
     *
     * @param store delegate, closed with this store
     */
    protected ForwardingStore(StreamStore store) {
        this.store = store;
    }

    @Override
    public int open(StreamSettings settings) {
        return store.open(settings);
    }

    @Override
    public int recordLengthMax() {
        return store.recordLengthMax();
    }

    @Override
    public @Nullable RecordHandle append(int stream, long timeNs, DirectBuffer from, int offset, int length) {
        return store.append(stream, timeNs, from, offset, length);
    }

    @Override
    public int doWork() {
        return store.doWork();
    }

    @Override
    public void sync() {
        store.sync();
    }

    @Override
    public long appended(int stream) {
        return store.appended(stream);
    }

    @Override
    public long durable(int stream) {
        return store.durable(stream);
    }

    @Override
    public long oldest(int stream) {
        return store.oldest(stream);
    }

    @Override
    public StreamReader reader() {
        return store.reader();
    }

    @Override
    public List<StreamStatus> streams() {
        return store.streams();
    }

    @Override
    public VolumeStatus status() {
        return store.status();
    }

    @Override
    public void close() {
        store.close();
    }
}
