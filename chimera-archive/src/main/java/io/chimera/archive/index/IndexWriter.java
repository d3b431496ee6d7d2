package io.chimera.archive.index;

import io.chimera.api.HotPath;
import io.chimera.archive.streamfs.RecordHandle;
import io.chimera.archive.streamfs.RecordView;
import io.chimera.archive.streamfs.StreamCursor;
import io.chimera.archive.streamfs.StreamReader;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes the keys of items as they are archived (Hyperion 2007, 5.1). One thread, the writer's of the store; what
 * {@link #endInterval} has ended is seen by searches on any thread at once. Allocates once an interval, not for its items.
 */
public final class IndexWriter {
    /** Records that may be read in vain ahead of those that are indexed again. */
    private static final int REBUILD_EARLIER_MAX = 256;

    private final Index index;
    private final IndexAppender appender;
    private final KeyBits bits;
    private final RecentTokens tokens = new RecentTokens();
    private final RecentKeys recent = new RecentKeys();
    private final KeyBatch fresh = new KeyBatch();
    private final KeyBatch inGroup = new KeyBatch();
    private final IntervalSignature signature;
    private final RangeCollector[] collectors; // by number of the key; null for exact keys
    private final List<RangeCollector> ranges = new ArrayList<>();
    private Group group; // of the interval that is being written
    private KeyBatch batch = fresh; // of the keys that come
    private boolean isSuperimposed; // some of them
    private long lastNumber;

    IndexWriter(Index index, IndexAppender appender) {
        this.index = index;
        this.appender = appender;
        IndexSettings settings = index.settings();
        bits = KeyBits.of(settings.kind(), settings.bitsPerKey());
        signature = new IntervalSignature(bits, settings.bitsPerKey(), settings.intervalKeysMax());
        group = appender.group();
        collectors = new RangeCollector[settings.keys().size()];
        for (int key = 0; key < collectors.length; key++) {
            if (settings.keys().get(key).kind() == IndexKey.Kind.RANGE) {
                collectors[key] = new RangeCollector(settings.keys().get(key));
                ranges.add(collectors[key]);
            }
        }
        lastNumber = index.lastNumber();
    }

    /**
     * An interval of these times comes, whose keys are added next. Where the group would be over more time with it than
     * {@link IndexSettings#groupAgeNs}, the group ends ahead of it. May be left out by those who do not know the times yet: then groups are
     * as long as they come.
     *
     * @throws IllegalStateException when keys of it have been added
     */
    public void begin(long firstNs, long lastNs) {
        if (hasKeys()) {
            throw new IllegalStateException("An interval begins whose keys have been added.");
        }
        appender.begin(firstNs, lastNs);
        follow();
    }

    /** Whether an interval has begun: its keys are in the group. */
    private boolean hasKeys() {
        return isSuperimposed || fresh.size() > 0 || inGroup.size() > 0;
    }

    /** The group may be another one, which has no keys yet. */
    private void follow() {
        if (group != appender.group()) {
            group = appender.group();
            tokens.nextGroup();
        }
    }

    /**
     * Whether the same 128 bits were asked about before in this interval; if not, they are remembered for a while. For callers
     * that derive all their exact keys from few fields: what is equal here has been added already. Compared exactly, not
     * hashed; true is never wrong, false may be.
     *
     * <p>Whoever asks, asks about everything: the exact keys that are added from now on and until it is asked again follow from
     * these bits, and are the same each time. For keys that do not follow from 128 bits, ask about zeros, which are never
     * remembered.
     */
    @HotPath
    public boolean isRecent(long first, long second) {
        int seen = tokens.seen(first, second);
        batch = seen == RecentTokens.NEW ? fresh : inGroup;
        return seen == RecentTokens.IN_INTERVAL;
    }

    /**
     * Adds a value of an exact key to the interval. Adding it again costs little.
     *
     * @param key number of the key
     * @param hash of the value, by {@link KeyHash}
     */
    @HotPath
    public void add(int key, long hash) {
        long keyed = KeyBits.keyed(key, hash);
        if (batch.add(keyed, recent.isNew(keyed))) {
            superimpose(batch);
        }
    }

    /** Level 2 has the keys of the group already. */
    private void superimpose(KeyBatch keys) {
        isSuperimposed = true;
        signature.add(keys);
        if (keys == fresh) {
            group.add(keys);
        }
        keys.clear();
    }

    /** Adds a value of a range key to the interval. For the most frequent values, once for every item. */
    @HotPath
    public void addRange(int key, long value) {
        collectors[key].add(value);
    }

    /** Whether {@link #endInterval} may be called now. If not, the store had no room: call its and our doWork and ask again. */
    public boolean isReady() {
        return appender.isReady();
    }

    /**
     * What was added since the last interval belongs to this record of the data stream, which has been appended with the time
     * lastNs. Every record of the data stream is an interval.
     *
     * @param data where the record is
     * @param number of the record in the data stream; greater than that of any interval before
     * @param firstNs the least time of its items, ns since 1970
     * @param lastNs the greatest time of its items, ns since 1970
     * @param items packets or points in it
     */
    public void endInterval(RecordHandle data, long number, long firstNs, long lastNs, int items) {
        if (number <= lastNumber || lastNs < firstNs) {
            throw new IllegalArgumentException("Interval " + number + " from " + firstNs + " to " + lastNs
                    + " does not come after interval " + lastNumber + ", or ends before it begins.");
        }
        superimpose(fresh);
        superimpose(inGroup);
        Interval interval = new Interval(data, number, firstNs, lastNs, items);
        List<RangeSummary> summaries = ranges.stream().map(RangeCollector::end).toList();
        appender.add(new IntervalEntry(interval, bits, signature.end(), summaries));
        lastNumber = number;
        index.ended(number);
        nextInterval();
    }

    private void nextInterval() {
        recent.clear();
        batch = fresh;
        isSuperimposed = false;
        tokens.nextInterval();
        follow();
    }

    /**
     * Reads again what is in the data stream and not yet in a bundle of the index stream: after a restart, before anything is
     * added. Drives the store and returns when the index is whole. Records that cannot be read now are left out; the numbers tell the
     * gap, and searches try to read them. So they do with the oldest where more lack than two bundles have, as when the index counted as none:
     * {@link IndexSettings} bounds what is read again.
     *
     * @return intervals that were added
     * @throws io.chimera.common.error.ChimeraException when the device cannot be written, or nothing can be read from it
     */
    public long rebuild(IntervalAdder adder) {
        long added = 0;
        RecordView view = new RecordView();
        try (StreamReader reader = index.store().reader();
                StreamCursor cursor = notIndexed(reader)) {
            while (cursor.next(view)) {
                while (!isReady()) {
                    index.store().doWork();
                    appender.doWork();
                }
                adder.add(view, this);
                added += lastNumber == view.number() ? 1 : 0;
                appender.doWork();
            }
        }
        index.rebuilt();
        return added;
    }

    /** What is not in the index, or the newest of it where that is too much. */
    private StreamCursor notIndexed(StreamReader reader) {
        int data = index.dataStream();
        long from = lastNumber + 1;
        long newest = index.store().appended(data) + 1 - index.settings().rebuiltIntervalsMax();
        if (from >= newest || index.store().oldest(data) >= newest) {
            return new NumberedCursor(reader, data, from, index.lastFirstNs());
        }
        long hintNs = new TimeOfNumber(index.store(), reader, data).atOrBefore(newest, REBUILD_EARLIER_MAX);
        return new NumberedCursor(reader, data, newest, hintNs);
    }

    /**
     * Intervals that were still held when their part of the index was overwritten: questions visit them unasked. The index stream
     * has too small a guarantee, beside that of its data.
     */
    public long outlived() {
        return index.outlived();
    }

    /**
     * Appends what is due to the index stream, one record at a time. A group that is old ends, so that who keeps it elsewhere does not wait
     * for more.
     *
     * @param nowNs by a clock that never goes back
     * @return how many records were appended
     */
    public int doWork(long nowNs) {
        if (!hasKeys()) {
            appender.age(nowNs);
            follow();
        }
        return appender.doWork();
    }

    /**
     * Appends everything to the index stream, so that nothing is to be rebuilt at the next start. Drives the store until it is
     * appended; nothing is added afterwards.
     */
    public void finish() {
        appender.finish();
        while (!appender.isFinished()) {
            if (appender.doWork() == 0) {
                index.store().doWork();
            }
        }
    }
}
