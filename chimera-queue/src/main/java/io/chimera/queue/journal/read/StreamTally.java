package io.chimera.queue.journal.read;

/** Contents of one stream in one file. Filled by one thread while reading the file, then unchanged. */
public final class StreamTally {
    private long batches;
    private long points;
    private long firstSeq;
    private long lastSeq;
    private long batchesBehindGap;

    public StreamTally() {}

    public void add(ExcerptReader batch) {
        if (batches == 0) {
            firstSeq = batch.firstSeq();
        }
        batches++;
        points += batch.count();
        lastSeq = Math.max(lastSeq, batch.lastSeq());
    }

    public void addBehindGap() {
        batchesBehindGap++;
    }

    /** Number of whole batches, including batches after a gap. */
    public long batches() {
        return batches;
    }

    /** Number of records in these batches. */
    public long points() {
        return points;
    }

    /** Sequence number of the first record. */
    public long firstSeq() {
        return firstSeq;
    }

    /** Highest sequence number. */
    public long lastSeq() {
        return lastSeq;
    }

    /** Number of whole batches whose predecessors in the stream are missing: the node fetches both from its peers. */
    public long batchesBehindGap() {
        return batchesBehindGap;
    }
}
