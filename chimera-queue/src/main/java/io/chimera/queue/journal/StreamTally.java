package io.chimera.queue.journal;

/** What one file holds of one stream. Filled by one thread while the file is read, then left alone. */
public final class StreamTally {
    private long batches;
    private long points;
    private long firstSeq;
    private long lastSeq;
    private long batchesBehindGap;

    StreamTally() {}

    void add(ExcerptReader batch) {
        if (batches == 0) {
            firstSeq = batch.firstSeq();
        }
        batches++;
        points += batch.count();
        lastSeq = Math.max(lastSeq, batch.lastSeq());
    }

    void addBehindGap() {
        batchesBehindGap++;
    }

    /** Whole batches, those behind a gap included. */
    public long batches() {
        return batches;
    }

    /** Records in these batches. */
    public long points() {
        return points;
    }

    /** Sequence number of the first record. */
    public long firstSeq() {
        return firstSeq;
    }

    /** The highest sequence number. */
    public long lastSeq() {
        return lastSeq;
    }

    /** Batches that are whole, but what precedes them in the stream is missing: the node fetches both from its peers. */
    public long batchesBehindGap() {
        return batchesBehindGap;
    }
}
