package io.chimera.archive.index;

import io.chimera.archive.streamfs.RecordHandle;
import io.chimera.archive.streamfs.RecordView;
import io.chimera.archive.streamfs.StreamCursor;
import io.chimera.archive.streamfs.StreamReader;
import io.chimera.archive.streamfs.StreamSettings;
import io.chimera.archive.streamfs.StreamStatus;
import io.chimera.archive.streamfs.StreamStore;
import io.chimera.archive.streamfs.VolumeStatus;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.List;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;

/** A store whose readers find some records damaged: a byte of them is another, or the store itself refuses them. */
public final class DamagingStore implements StreamStore {
    private final StreamStore store;
    private Predicate<RecordView> isDamaged = view -> false;
    private Predicate<RecordView> isRefused = view -> false;
    private int readers;

    /** Refuses nothing yet. */
    public DamagingStore(StreamStore store) {
        this.store = store;
    }

    /** Records that are damaged from now on; found out by the store, or by who reads them. */
    void damage(Predicate<RecordView> which, boolean isRefusedByStore) {
        if (isRefusedByStore) {
            refuse(which);
        } else {
            isDamaged = which;
        }
    }

    /** Records that the store refuses from now on, beside those that are damaged. */
    public void refuse(Predicate<RecordView> which) {
        isRefused = which;
    }

    private boolean damaged(boolean isThere, RecordView view) {
        if (isThere && isRefused.test(view)) {
            throw new ChimeraException(Category.ERROR, "Record " + view.number() + " is damaged.");
        }
        if (isThere && isDamaged.test(view)) {
            byte[] bytes = new byte[view.buffer().capacity()];
            view.buffer().getBytes(0, bytes);
            bytes[bytes.length - 1] ^= 1;
            view.buffer().wrap(bytes);
        }
        return isThere;
    }

    /** Readers that were asked for. */
    public int readers() {
        return readers;
    }

    @Override
    public StreamReader reader() {
        readers++;
        StreamReader reader = store.reader();
        return new StreamReader() {
            @Override
            public boolean read(RecordHandle handle, RecordView into) {
                return damaged(reader.read(handle, into), into);
            }

            @Override
            public StreamCursor cursor(int stream, long fromNs) {
                StreamCursor cursor = reader.cursor(stream, fromNs);
                return new StreamCursor() {
                    @Override
                    public boolean next(RecordView into) {
                        return damaged(cursor.next(into), into);
                    }

                    @Override
                    public void close() {
                        cursor.close();
                    }
                };
            }

            @Override
            public void close() {
                reader.close();
            }
        };
    }

    @Override
    public int open(StreamSettings settings) {
        return store.open(settings);
    }

    @Override
    public RecordHandle append(int stream, long timeNs, DirectBuffer from, int offset, int length) {
        return store.append(stream, timeNs, from, offset, length);
    }

    @Override
    public int recordLengthMax() {
        return store.recordLengthMax();
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
