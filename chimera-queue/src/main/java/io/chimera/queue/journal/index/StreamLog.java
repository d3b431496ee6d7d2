package io.chimera.queue.journal.index;

import java.util.Arrays;

/**
 * Contents of one stream in the journal: a sparse index of its batches. Records above the base are still needed by the
 * cluster. Records below the base are retained beyond their commit, with holes from absences of this node. The
 * journaler's thread writes; other threads read base, position and durable, and look up places.
 *
 * <p>The index has an entry for the first batch of the stream in each file, and for each batch at least {@link
 * #SPACING} bytes after the last entry. So the bytes on disk bound the size of the index, not the number of batches: a
 * node with one point per batch writes a thousand batches a second, of some hundred bytes each.
 */
public final class StreamLog {
    /**
     * Bytes between index entries. 20 bytes of index per 64 KiB on disk make 3 MB for 10 GB; a reader skips at most
     * this many bytes.
     */
    private static final int SPACING = 64 << 10;

    private final long stream;
    private volatile Places places = new Places(16);
    private volatile SeqRanges retained = SeqRanges.NONE;
    private volatile long base;
    private volatile long position;
    private volatile long durable;

    StreamLog(long stream) {
        this.stream = stream;
    }

    public long stream() {
        return stream;
    }

    /** Base of the stream: the journal holds all records above the base, up to the position. */
    public long base() {
        return base;
    }

    public long position() {
        return position;
    }

    public long durable() {
        return durable;
    }

    public void becomeDurable() {
        if (durable != position) {
            durable = position;
        }
    }

    /** Whether the journal already holds a batch with the given last sequence number. */
    public boolean holds(long lastSeq) {
        return lastSeq <= position;
    }

    /**
     * Whether a batch with the given first sequence number follows without a gap. The first batch after the base may
     * begin before the base, because a node that joins late starts at a cut.
     */
    public boolean isFollowedBy(long firstSeq) {
        return firstSeq == position + 1 || (firstSeq <= position && position == base);
    }

    /** Records an appended batch and publishes the batch to readers. */
    public void add(long firstSeq, long lastSeq, int file, long offset) {
        index(firstSeq, file, offset);
        if (firstSeq <= base && position == base) {
            retained = retained.with(firstSeq - 1, base);
        }
        position = lastSeq; // volatile: publishes the entry
    }

    private void index(long firstSeq, int file, long offset) {
        Places known = places;
        if (known.wants(file, offset)) {
            if (known.isFull()) {
                known = known.copy();
                places = known;
            }
            known.add(firstSeq, file, offset);
        }
    }

    /** Drops the index up to a sequence number, at most the base, after the deletion of a file. */
    void letGo(long lastSeq) {
        retained = retained.above(lastSeq);
        places = lastSeq < position ? places.above(lastSeq) : new Places(16);
    }

    /** Whether the record is readable, including records kept only for replay. */
    public boolean canRead(long seq) {
        return seq <= position && (seq > base || retained.reach(seq - 1) >= seq);
    }

    /** Whether all records in (after, upTo] are readable. */
    public boolean canRead(long after, long upTo) {
        long from = after;
        if (from < base) {
            from = retained.reach(from);
        }
        return upTo <= (from >= base ? position : from);
    }

    /** Records a batch found below the base. */
    public void retain(long firstSeq, long lastSeq, int file, long offset) {
        SeqRanges more = retained.with(firstSeq - 1, lastSeq);
        if (more != retained) {
            index(firstSeq, file, offset);
            retained = more;
        }
    }

    /**
     * Raises the base. Records up to the new base are from now on only retained. Position and durable rise at least to
     * the base.
     */
    public void raiseBase(long seq) {
        if (seq <= base) {
            return;
        }
        if (position > base) {
            retained = retained.with(base, Math.min(seq, position));
        }
        if (seq > position) {
            position = seq;
        }
        if (seq > durable) {
            durable = seq;
        }
        base = seq;
    }

    /**
     * Finds the place to start the search for the batch with a record.
     *
     * @param seq sequence number after the base, at most the position
     * @param place receives the result
     * @return false without a place
     */
    public boolean locate(long seq, Place place) {
        return places.locate(seq, place);
    }

    /** A place in the journal; used by one reader. */
    public static final class Place {
        private int file = -1;
        private long offset;

        public int file() {
            return file;
        }

        public long offset() {
            return offset;
        }

        public void move(int newFile, long newOffset) {
            file = newFile;
            offset = newOffset;
        }
    }

    /** Index entries [from, to). Published entries never change, so a reader may keep an old object. */
    private static final class Places {
        private final long[] firstSeqs;
        private final int[] files;
        private final long[] offsets;
        private int from;
        private volatile int to; // publishes the entries below it

        Places(int capacity) {
            firstSeqs = new long[capacity];
            files = new int[capacity];
            offsets = new long[capacity];
        }

        boolean wants(int file, long offset) {
            return from == to || files[to - 1] != file || offset - offsets[to - 1] >= SPACING;
        }

        boolean isFull() {
            return to == firstSeqs.length;
        }

        void add(long firstSeq, int file, long offset) {
            int entry = to;
            firstSeqs[entry] = firstSeq;
            files[entry] = file;
            offsets[entry] = offset;
            to = entry + 1;
        }

        /** Copies the entries into an object of double capacity. */
        Places copy() {
            int count = to - from;
            Places copy = new Places(Math.max(16, 2 * count));
            System.arraycopy(firstSeqs, from, copy.firstSeqs, 0, count);
            System.arraycopy(files, from, copy.files, 0, count);
            System.arraycopy(offsets, from, copy.offsets, 0, count);
            copy.to = count;
            return copy;
        }

        Places above(long seq) {
            Places copy = copy();
            copy.from = Math.max(0, copy.floor(seq + 1));
            return copy.from == 0 ? copy : copy.copy();
        }

        boolean locate(long seq, Place place) {
            int found = floor(seq);
            if (found < from) {
                return false;
            }
            place.move(files[found], offsets[found]);
            return true;
        }

        private int floor(long seq) {
            int found = Arrays.binarySearch(firstSeqs, from, to, seq);
            return found >= 0 ? found : -found - 2;
        }
    }
}
