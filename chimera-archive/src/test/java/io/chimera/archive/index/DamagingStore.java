package io.chimera.archive.index;

import io.chimera.archive.streamfs.store.ForwardingStore;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamCursor;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.function.Predicate;

/** Store with damaged records: either a byte of a record is changed, or the store itself reports the damage. */
public final class DamagingStore extends ForwardingStore {
    private Predicate<RecordView> isDamaged = view -> false;
    private Predicate<RecordView> isRefused = view -> false;
    private int readers;

    /** Wraps a store, without damage. */
    public DamagingStore(StreamStore store) {
        super(store);
    }

    /** Damages records from now on; the damage is detected by the store or by the caller. */
    void damage(Predicate<RecordView> which, boolean isRefusedByStore) {
        if (isRefusedByStore) {
            refuse(which);
        } else {
            isDamaged = which;
        }
    }

    /** Refuses records from now on, in addition to the damaged records. */
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

    /** Returns the number of readers created. */
    public int readers() {
        return readers;
    }

    @Override
    public StreamReader reader() {
        readers++;
        StreamReader reader = super.reader();
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
}
