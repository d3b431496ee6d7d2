package io.chimera.dataset.copy;

import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.collections.LongHashSet;

/**
 * Files of copies that one job has used since its start. This process deletes none of them for room before the end of
 * the job: otherwise a job with more data than room would delete the copies that it is about to read, and read
 * everything from the source twice. Other processes leave the locked files alone, which are those with the latest use.
 * Any thread.
 */
final class CopyUses implements AutoCloseable {
    /**
     * Maximum number of locked files: more than the splits that a job reads at the same time. The virtual machine and
     * the kernel search all locks for each further one, so a lock for each file would be too slow.
     */
    static final int LOCKED_MAX = 1024;

    /** Maximum number of known files: 2^20 x 16 bytes = 16 MiB. Further files may be deleted like those of no job. */
    private static final int USED_MAX = 1 << 20;

    private final CopyStore store;

    /** Lock offsets of the used files; guarded by itself, and no other lock is taken under this one. */
    private final LongHashSet used = new LongHashSet();

    /** Locked files, ordered by last use; guarded by itself. */
    private final Map<CopyPlace, Boolean> locked = new LinkedHashMap<>(16, 0.75f, true);

    /** Guarded by {@link #locked}. */
    private boolean isClosed;

    CopyUses(CopyStore store) {
        this.store = store;
    }

    /**
     * Uses a file, which need not exist yet.
     *
     * @return whether the file may be used; false while another process deletes it, and after the end of the job
     */
    boolean use(CopyPlace place) {
        synchronized (used) {
            if (used.size() < USED_MAX) {
                used.add(place.lockOffset()); // before the lock, so that a deletion sees the use or prevents the lock
            }
        }
        synchronized (locked) {
            if (locked.get(place) != null) {
                return true;
            }
            if (isClosed || !store.pin(place)) {
                return false;
            }
            locked.put(place, true);
            if (locked.size() > LOCKED_MAX) {
                CopyPlace oldest = locked.keySet().iterator().next();
                locked.remove(oldest);
                store.unpin(oldest);
            }
            return true;
        }
    }

    /** Returns whether the job has used a file. */
    boolean hasUsed(CopyPlace place) {
        synchronized (used) {
            return used.contains(place.lockOffset());
        }
    }

    /** Ends the job: its files may be deleted. */
    @Override
    public void close() {
        synchronized (locked) {
            locked.keySet().forEach(store::unpin);
            locked.clear();
            isClosed = true;
        }
        store.end(this);
    }
}
