package io.chimera.queue.journal;

import java.util.Arrays;

/**
 * What the journal holds of one stream, and where: a sparse index over its batches. Above the base lies what the cluster
 * still counts on; below it what is retained beyond the commit, with holes where this node was away. The journaler's thread writes; other
 * threads read base, position and durable, and look places up.
 *
 * <p>The index has an entry for the first batch of the stream in a file, and for each that lies {@link #SPACING} behind
 * the last entry, so its size is bounded by the bytes on disk and not by the number of batches: a node with one point per
 * batch writes a thousand batches a second, of some hundred bytes each.
 */
final class StreamLog {
    /** 20 bytes of index for 64 KiB on disk, that is 3 MB for 10 GB; a reader steps over at most so many bytes. */
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

    long stream() {
        return stream;
    }

    /** The journal holds what lies above this sequence number and up to the position. */
    long base() {
        return base;
    }

    long position() {
        return position;
    }

    long durable() {
        return durable;
    }

    void becomeDurable() {
        if (durable != position) {
            durable = position;
        }
    }

    /** Whether a batch that ends at the given sequence number brings nothing new. */
    boolean holds(long lastSeq) {
        return lastSeq <= position;
    }

    /**
     * Whether a batch that begins at the given sequence number follows without a gap. The first above the base may begin
     * below it: a node that joins late starts at a cut.
     */
    boolean isFollowedBy(long firstSeq) {
        return firstSeq == position + 1 || (firstSeq <= position && position == base);
    }

    /** Takes note of an appended batch and shows it to readers. */
    void add(long firstSeq, long lastSeq, int file, long offset) {
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

    /** A file that held the stream up to a sequence number, at most the base, is gone. */
    void letGo(long lastSeq) {
        retained = retained.above(lastSeq);
        places = lastSeq < position ? places.above(lastSeq) : new Places(16);
    }

    /** Whether a record can be read, be it that it is retained only. */
    boolean canRead(long seq) {
        return seq <= position && (seq > base || retained.reach(seq - 1) >= seq);
    }

    /** Whether all records above one sequence number and up to another can be read. */
    boolean canRead(long after, long upTo) {
        long from = after;
        if (from < base) {
            from = retained.reach(from);
        }
        return upTo <= (from >= base ? position : from);
    }

    /** Takes note of a batch that is found below the base. */
    void retain(long firstSeq, long lastSeq, int file, long offset) {
        SeqRanges more = retained.with(firstSeq - 1, lastSeq);
        if (more != retained) {
            index(firstSeq, file, offset);
            retained = more;
        }
    }

    /**
     * What lies at or below a sequence number is retained from now on, no longer counted on; the position too is at least
     * that.
     */
    void raiseBase(long seq) {
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
     * Finds where to begin to look for the batch that contains a record.
     *
     * @param seq above the base, at most the position
     * @param place takes what is found
     * @return false when there is nothing
     */
    boolean locate(long seq, Place place) {
        return places.locate(seq, place);
    }

    /** A place in the journal; one reader's. */
    static final class Place {
        private int file = -1;
        private long offset;

        int file() {
            return file;
        }

        long offset() {
            return offset;
        }

        void move(int newFile, long newOffset) {
            file = newFile;
            offset = newOffset;
        }
    }

    /** Entries [from, to) are in use. Entries once published never change, so a reader may keep an old object. */
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

        /** A copy with room for as many again. */
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
