package io.chimera.archive.query.interval;

import io.chimera.archive.index.SearchCounts;
import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.query.Explanation;
import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.text.QuestionException;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import java.util.function.BooleanSupplier;

/**
 * Matching items of one data stream, in the order of arrival. Intervals not ruled out by the index are read, and every
 * item in them is filtered. Single-threaded.
 */
public final class IntervalSource<I extends Items> implements AutoCloseable {
    private final ArchiveStream stream;
    private final Question question;
    private final I items;
    private final IntervalFeed feed;
    private final IntervalReads reads;
    private final Clock clock;
    private final long startNs;
    private final RecordView record = new RecordView();
    private boolean isOpen;
    private long endNs;
    private long intervals;
    private long gone;
    private long damaged;
    private String damage = "";
    private long dataBytes;
    private long looked;
    private long unasked;
    private long matched;

    /** Creates the source and starts its search. */
    public IntervalSource(StreamStore store, ArchiveStream stream, Question question, I items, Clock clock) {
        this.stream = stream;
        this.question = question;
        this.items = items;
        this.clock = clock;
        startNs = clock.nanoTime();
        feed = new IntervalFeed(
                stream.index(), items.probe(), question.afterNs(), question.beforeNs(), stream.name(), clock);
        reads = new IntervalReads(store, feed, clock);
    }

    /** Collects everything needed before the first item. */
    public void prepare(BooleanSupplier isStopped) {
        items.prepare(isStopped);
    }

    /** Advances to the next matching item; returns false at the end. */
    public boolean next() {
        while (true) {
            if (isOpen && nextOfInterval()) {
                matched++;
                return true;
            }
            if (reads.next() == null) {
                isOpen = false;
                endNs = clock.nanoTime();
                return false;
            }
            isOpen = read();
        }
    }

    private boolean nextOfInterval() {
        try {
            while (items.next()) {
                looked++;
                long timeNs = items.timeNs();
                if (timeNs >= question.afterNs() && timeNs <= question.beforeNs() && items.matches()) {
                    return true;
                }
            }
        } catch (ChimeraException e) {
            note(e);
        }
        return false;
    }

    private boolean read() {
        try {
            if (!reads.read(record)) {
                gone++;
                return false;
            }
            items.open(record);
            intervals++;
            dataBytes += record.buffer().capacity();
            return true;
        } catch (QuestionException e) {
            unasked += items.count(); // items of this kind cannot match, and must not hide matching items
            return false;
        } catch (ChimeraException e) {
            note(e);
            return false;
        }
    }

    /** Records a damaged interval. The answer reports its absence; the rest of the answer is valid. */
    private void note(ChimeraException e) {
        damaged++;
        if (damage.isEmpty()) {
            damage = of(String.valueOf(e.getMessage()));
        }
    }

    private String of(String message) {
        return "stream " + stream.name() + ": " + message;
    }

    /** Returns the cursor at the current item, valid until the next item. */
    public I items() {
        return items;
    }

    public ArchiveStream stream() {
        return stream;
    }

    /** Returns the progress so far. */
    public QueryProgress progress() {
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
                        looked,
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
        return unread > 0 ? of("an unindexed record cannot be read") : "";
    }

    /** Returns the work done so far with its duration; complete once {@link #next} has returned false. */
    public Explanation.Part explanation() {
        long waitedNs = reads.waitedNs();
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
                waitedNs,
                looked,
                matched,
                (endNs == 0 ? clock.nanoTime() : endNs) - startNs - waitedNs);
    }

    /** Ends the source after the items of the current interval. Any thread. */
    public void cancel() {
        reads.cancel();
    }

    @Override
    public void close() {
        reads.close();
    }
}
