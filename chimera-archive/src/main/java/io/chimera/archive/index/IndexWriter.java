package io.chimera.archive.index;

import io.chimera.api.HotPath;
import io.chimera.archive.index.key.IndexKey;
import io.chimera.archive.index.key.KeyBatch;
import io.chimera.archive.index.key.KeyBits;
import io.chimera.archive.index.key.KeyHash;
import io.chimera.archive.index.key.RangeCollector;
import io.chimera.archive.index.key.RangeSummary;
import io.chimera.archive.index.key.RecentKeys;
import io.chimera.archive.index.key.RecentTokens;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.index.record.Interval;
import io.chimera.archive.index.record.IntervalEntry;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamCursor;
import io.chimera.archive.streamfs.store.StreamReader;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the keys of items during archiving (Hyperion 2007, 5.1). Confined to the thread of the store's writer.
 * Intervals ended by {@link #endInterval} are visible to searches on any thread at once. Allocates per interval, not
 * per item.
 */
public final class IndexWriter {
    /** Maximum records read in vain before the first re-indexed record. */
    private static final int REBUILD_EARLIER_MAX = 256;

    private final Index index;
    private final IndexAppender appender;
    private final KeyBits bits;
    private final RecentTokens tokens = new RecentTokens();
    private final RecentKeys recent = new RecentKeys();
    private final KeyBatch fresh = new KeyBatch();
    private final KeyBatch inGroup = new KeyBatch();
    private final IntervalSignature signature;
    private final RangeCollector[] collectors; // by key number; null for exact keys
    private final List<RangeCollector> ranges = new ArrayList<>();
    private Group group; // group of the interval in progress
    private KeyBatch batch = fresh; // batch for the next keys
    private boolean isSuperimposed; // true once keys of the interval are in the signature
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
     * Announces the times of the next interval, before its keys. If the interval would extend the group beyond {@link
     * IndexSettings#groupAgeNs}, the group ends first. Optional for callers without known times; groups are then not
     * limited by item times.
     *
     * @throws IllegalStateException when keys of the interval have been added
     */
    public void begin(long firstNs, long lastNs) {
        if (hasKeys()) {
            throw new IllegalStateException("An interval begins after its first keys were added.");
        }
        appender.begin(firstNs, lastNs);
        follow();
    }

    /** Returns true if keys of the next interval were added: they are already in the group. */
    private boolean hasKeys() {
        return isSuperimposed || fresh.size() > 0 || inGroup.size() > 0;
    }

    /** Follows a change of the group; a new group has no keys. */
    private void follow() {
        if (group != appender.group()) {
            group = appender.group();
            tokens.nextGroup();
        }
    }

    /**
     * Returns true if the same 128 bits were passed before in this interval; otherwise the bits are remembered for a
     * while. Helps callers that derive all exact keys from few fields to skip keys already added. The comparison is
     * exact, not by hash: true is always correct, false may be wrong.
     *
     * <p>A caller of this method must use it for all keys: the exact keys added until the next call must be a function
     * of these bits. For keys not derived from 128 bits, pass zeros, which are never remembered.
     */
    @HotPath
    public boolean isRecent(long first, long second) {
        int seen = tokens.seen(first, second);
        batch = seen == RecentTokens.NEW ? fresh : inGroup;
        return seen == RecentTokens.IN_INTERVAL;
    }

    /**
     * Adds a value of an exact key to the interval. Repeated values cost little.
     *
     * @param key number of the key
     * @param hash hash of the value, by {@link KeyHash}
     */
    @HotPath
    public void add(int key, long hash) {
        long keyed = KeyBits.keyed(key, hash);
        if (batch.add(keyed, recent.isNew(keyed))) {
            superimpose(batch);
        }
    }

    /** Adds the batch to the signatures; level 2 gets only keys new to the group. */
    private void superimpose(KeyBatch keys) {
        isSuperimposed = true;
        signature.add(keys);
        if (keys == fresh) {
            group.add(keys);
        }
        keys.clear();
    }

    /** Adds a value of a range key to the interval. For keys with most frequent values, call once per item. */
    @HotPath
    public void addRange(int key, long value) {
        collectors[key].add(value);
    }

    /**
     * Returns true if {@link #endInterval} may be called. Otherwise the store has no room: call {@code doWork} of the
     * store and of this writer, then check again.
     */
    public boolean isReady() {
        return appender.isReady();
    }

    /**
     * Ends an interval: assigns the keys added since the last interval to a record of the data stream, appended with
     * the time lastNs. Every record of the data stream is an interval.
     *
     * @param data handle of the record
     * @param number number of the record in the data stream; greater than all earlier intervals
     * @param firstNs least time of its items, ns since 1970
     * @param lastNs greatest time of its items, ns since 1970
     * @param items number of packets or points
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
     * Re-indexes the records of the data stream missing in the bundles of the index stream: after a restart, before any
     * other interval. Drives the store and returns when the index is complete. Unreadable records are skipped; the
     * numbers show the gap, and searches try to read them. If more records are missing than the limit of {@link
     * IndexSettings}, as with a lost index, the oldest are skipped in the same way.
     *
     * @return number of re-indexed intervals
     * @throws io.chimera.common.error.ChimeraException when the device cannot be written, or not read at all
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

    /** Returns a cursor over the records missing in the index, or over the newest of them if they exceed the limit. */
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
     * Returns the number of intervals still held when their part of the index was overwritten; queries visit them
     * without a check. The cause is an index stream with a guarantee too small for its data.
     */
    public long outlived() {
        return index.outlived();
    }

    /**
     * Appends one due record to the index stream. Ends an old group, so copies on other nodes need not wait for a full
     * group.
     *
     * @param nowNs time of a monotonic clock
     * @return number of appended records
     */
    public int doWork(long nowNs) {
        if (!hasKeys()) {
            appender.age(nowNs);
            follow();
        }
        return appender.doWork();
    }

    /**
     * Appends the rest of the index, so the next start has nothing to rebuild. Drives the store until the end; no
     * interval may be added afterwards.
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
