package io.chimera.archive.index;

import io.chimera.archive.index.record.BundleEntry;
import io.chimera.archive.index.record.BundleRecord;
import io.chimera.archive.index.record.DamagedRecordException;
import io.chimera.archive.index.record.GroupEntry;
import io.chimera.archive.index.record.GroupRecord;
import io.chimera.archive.index.record.Interval;
import io.chimera.archive.index.record.IntervalEntry;
import io.chimera.archive.index.record.RecordInput;
import io.chimera.archive.index.record.RecordOutput;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamCursor;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Locates the bundles in an index stream: the newest near the end of the stream, earlier bundles through their runs.
 * The newest bundle is valid only if its last interval is in the data stream: after a loss of power the index may be
 * ahead of the data.
 */
final class IndexLoader implements AutoCloseable {
    /** Number of records searched at the end of the stream. */
    private static final int TAIL_RECORDS = 64;
    /** Number of candidate bundles tried before the whole stream is searched. */
    private static final int CANDIDATES_MAX = 64;

    private final Index index;
    private final StreamReader reader;
    private final RecordInput in;
    private final RecordView view = new RecordView();
    private final List<BundleEntry> bundles = new ArrayList<>();
    private List<BundleEntry> run = List.of();
    private RecordHandle runBefore;
    private boolean hasOthers;

    /**
     * True if bundles may lie before the searched tail: the first whole record of the tail names a bundle, or no record
     * of the tail is whole.
     */
    private boolean isMoreBefore = true;

    IndexLoader(Index index) {
        this.index = index;
        reader = index.store().reader();
        in = new RecordInput(index.keys());
    }

    /** Returns the bundles, oldest first. */
    List<BundleEntry> bundles() {
        return bundles;
    }

    /** Returns the bundles of the newest run. */
    List<BundleEntry> run() {
        return run;
    }

    /** Returns the last bundle of the previous run; null without a previous run. */
    RecordHandle runBefore() {
        return runBefore;
    }

    /** Returns true if the stream holds only records of another version or with other keys, all skipped. */
    boolean isOfOtherMaking() {
        return bundles.isEmpty() && hasOthers;
    }

    void load() {
        long appended = index.store().appended(index.indexStream());
        long tailNs = new TimeOfNumber(index.store(), reader, index.indexStream()).atOrBefore(appended, TAIL_RECORDS);
        if (!loadNewest(tailNs) && isMoreBefore) {
            loadNewest(Long.MIN_VALUE);
        }
    }

    private boolean loadNewest(long fromNs) {
        Deque<RecordHandle> candidates = candidates(fromNs);
        while (!candidates.isEmpty()) {
            RecordHandle newest = candidates.removeLast();
            BundleRecord record = read(newest);
            if (record != null && isHeld(record)) {
                take(newest, record);
                return true;
            }
        }
        return false;
    }

    /** Returns the bundles in a part of the stream, oldest first, and the bundle before. */
    private Deque<RecordHandle> candidates(long fromNs) {
        Deque<RecordHandle> candidates = new ArrayDeque<>();
        boolean isFirst = true;
        try (StreamCursor cursor = new PatientCursor(reader.cursor(index.indexStream(), fromNs))) {
            while (cursor.next(view)) {
                int type = in.type(view.buffer());
                if (type < 0) {
                    continue;
                }
                boolean isOther = !in.isOfSameMaking(view.buffer());
                hasOthers |= isOther;
                RecordHandle before = isOther ? RecordOutput.NO_HANDLE : RecordInput.newestBundle(view.buffer());
                isMoreBefore &= !isFirst || !before.equals(RecordOutput.NO_HANDLE);
                isFirst = false;
                if (candidates.isEmpty() && !before.equals(RecordOutput.NO_HANDLE)) {
                    candidates.add(before);
                }
                if (type == BundleRecord.TYPE && !isOther) {
                    candidates.add(view.handle());
                }
                if (candidates.size() > CANDIDATES_MAX) {
                    candidates.removeFirst();
                }
            }
        }
        return candidates;
    }

    private BundleRecord read(RecordHandle handle) {
        try {
            return reader.read(handle, view)
                    ? BundleRecord.decode(in.begin(view.buffer(), BundleRecord.TYPE), index.keys())
                    : null;
        } catch (DamagedRecordException | ChimeraException e) {
            return null; // fall back to the previous bundle; the intervals of this one are indexed again
        }
    }

    private boolean isHeld(BundleRecord record) {
        GroupEntry last = record.groups().get(record.groups().size() - 1);
        if (last.lastNumber() < index.store().oldest(index.dataStream())) {
            return last.lastNumber() <= index.store().appended(index.dataStream());
        }
        try {
            if (!reader.read(last.level1(), view)) {
                return false;
            }
            List<IntervalEntry> entries = GroupRecord.decode(in.begin(view.buffer(), GroupRecord.TYPE), index.keys());
            Interval interval = entries.get(entries.size() - 1).interval();
            return reader.read(interval.data(), view)
                    && view.number() == interval.number()
                    && view.timeNs() == interval.lastNs(); // rules out another record at the same place
        } catch (DamagedRecordException | ChimeraException e) {
            return false;
        }
    }

    private void take(RecordHandle newest, BundleRecord record) {
        runBefore = record.runBefore();
        run = new ArrayList<>(record.run());
        run.add(record.entry(newest));
        bundles.addAll(run);
        if (run.size() == BundleRecord.RUN_LENGTH) {
            runBefore = newest;
            run = List.of();
        }
        RecordHandle before = record.runBefore();
        long oldest = index.store().oldest(index.dataStream());
        while (before != null && bundles.get(0).firstNumber() > oldest) {
            BundleRecord last = read(before);
            if (last == null) {
                break; // intervals of the missing bundles are visited without a check
            }
            bundles.add(0, last.entry(before));
            bundles.addAll(0, last.run());
            before = last.runBefore();
        }
        bundles.removeIf(entry -> entry.lastNumber() < oldest);
    }

    @Override
    public void close() {
        reader.close();
    }
}
