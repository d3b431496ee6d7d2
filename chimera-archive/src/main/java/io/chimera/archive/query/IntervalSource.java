package io.chimera.archive.query;

import io.chimera.archive.index.SearchCounts;
import io.chimera.archive.streamfs.RecordView;
import io.chimera.archive.streamfs.StreamStore;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import java.util.function.BooleanSupplier;

/**
 * The items of one data stream that match, in the order of arrival: intervals that the index does not rule out are read, and every
 * item in them is looked at. One thread.
 */
final class IntervalSource<I extends Items> implements AutoCloseable {
    private final ArchiveStream stream;
    private final I items;
    private final IntervalFeed feed;
    private final IntervalReads reads;
    private Looked looked;
    private boolean isOpen;
    private long intervals;
    private long gone;
    private long damaged;
    private String damage = "";
    private long dataBytes;
    private long count;
    private long unasked;
    private long matched;

    /** A source that searches already. */
    IntervalSource(StreamStore store, ArchiveStream stream, Question question, I items, Clock clock) {
        this.stream = stream;
        this.items = items;
        feed = new IntervalFeed(
                stream.index(), items.probe(), question.afterNs(), question.beforeNs(), stream.name(), clock);
        reads = new IntervalReads(store, feed, question, items, clock);
    }

    /** Finds out what has to be known ahead of the first item. */
    void prepare(BooleanSupplier isStopped) {
        items.prepare(isStopped);
    }

    /** Goes to the next item that matches. False: there is none. */
    boolean next() {
        while (true) {
            if (isOpen && looked.next()) {
                items.moveTo(looked.place());
                matched++;
                return true;
            }
            if (reads.next() == null) {
                isOpen = false;
                return false;
            }
            looked = reads.looked();
            isOpen = open();
        }
    }

    /** False: nothing of the interval is in the answer. */
    private boolean open() {
        count += looked.items();
        unasked += looked.unasked();
        if (looked.damage() != null) {
            note(looked.damage());
        }
        if (!looked.isThere()) {
            gone += looked.damage() == null && looked.unasked() == 0 ? 1 : 0;
            return false;
        }
        if (looked.matches() > 0 && !isRead()) {
            return false;
        }
        intervals++;
        dataBytes += looked.bytes();
        return looked.matches() > 0;
    }

    /** Reads it for who asks. False: it was overwritten since somebody looked at it. */
    private boolean isRead() {
        try {
            RecordView record = reads.record();
            if (record != null) {
                items.open(record);
                return true;
            }
            gone++;
        } catch (ChimeraException e) {
            note(e);
        }
        return false;
    }

    /** What cannot be read lacks in the answer, and the answer says so; the rest of it is good. */
    private void note(ChimeraException e) {
        damaged++;
        if (damage.isEmpty()) {
            damage = of(e.getMessage());
        }
    }

    private String of(String message) {
        return "stream " + stream.name() + ": " + message;
    }

    /** The items, of which the one is current that was gone to; valid until the next. */
    I items() {
        return items;
    }

    /** Where it comes from. */
    ArchiveStream stream() {
        return stream;
    }

    /** What it did up to now. */
    QueryProgress progress() {
        SearchCounts index = feed.counts();
        long unread = index.intervalsDamaged();
        return new QueryProgress(
                        1,
                        intervals,
                        index.intervalsSkippedByGroup() + index.intervalsSkipped(),
                        gone + index.intervalsGone(),
                        damaged + unread,
                        damage(unread),
                        dataBytes,
                        index.indexBytes(),
                        index.indexReads(),
                        count,
                        unasked,
                        matched)
                .plus(prepared());
    }

    private QueryProgress prepared() {
        QueryProgress prepared = items.prepared();
        return prepared.damage().isEmpty() ? prepared : prepared.withDamage(of(prepared.damage()));
    }

    private String damage(long unread) {
        if (!damage.isEmpty()) {
            return damage;
        }
        return unread > 0 ? of("a record that the index lacks cannot be read") : "";
    }

    /** What it did up to now, and how long that took; whole once {@link #next} has returned false. */
    Explanation.Part explanation() {
        return new Explanation.Part(
                stream.name(),
                items.probeInWords(),
                items.steps(),
                feed.counts(),
                feed.searchNs(),
                intervals,
                reads.reads(),
                dataBytes,
                reads.readNs(),
                reads.waitedNs(),
                count,
                matched,
                reads.lookNs());
    }

    /** There is no next packet any more behind those of the interval at hand. Any thread. */
    void cancel() {
        reads.cancel();
    }

    @Override
    public void close() {
        reads.close();
    }
}
