package io.chimera.archive.index;

import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.record.BundleEntry;
import io.chimera.archive.index.record.BundleRecord;
import io.chimera.archive.index.record.GroupEntry;
import io.chimera.archive.index.record.IndexRecords;
import io.chimera.archive.index.record.Interval;
import io.chimera.archive.index.record.IntervalEntry;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamCursor;
import io.chimera.archive.streamfs.store.StreamReader;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * One search: first the bundles in the index stream, then the bundles in memory. The search tracks the next record
 * number of the data stream; at a gap in the index, the data stream is read instead. Single-threaded.
 */
final class SearchRun {
    private final Index index;
    private final IndexRecords records;
    private final Question question;
    private final BooleanSupplier isCancelled;
    private final long readsBefore;
    private final long bytesBefore;
    private final long damagedBefore;

    private long next;
    private boolean isEnough;
    private long groupsSkipped;
    private long intervalsSkippedByGroup;
    private long intervalsSkipped;
    private long intervalsGone;
    private long intervalsUnindexed;
    private long intervalsDamaged;
    private long intervalsVisited;

    /** Probe, time span and visitor of a search. */
    record Question(Probe probe, long afterNs, long beforeNs, EntryVisitor visitor) {}

    /** Receives intervals with their index entry. */
    @FunctionalInterface
    interface EntryVisitor {
        /** Visits an interval; the entry is null if unknown to the index. Returns false to end the search. */
        boolean visit(Interval interval, IntervalEntry entry);
    }

    /**
     * Creates a search.
     *
     * @param isCancelled polled before every group and interval
     */
    SearchRun(Index index, IndexRecords records, Question question, BooleanSupplier isCancelled) {
        this.index = index;
        this.records = records;
        this.question = question;
        this.isCancelled = isCancelled;
        readsBefore = records.reads();
        bytesBefore = records.bytes();
        damagedBefore = records.damaged();
    }

    void run() {
        long appended = index.store().appended(index.dataStream());
        IndexState state = index.state();
        next = oldest();
        long hintNs = Long.MIN_VALUE;
        for (BundleEntry bundle : state.bundles()) {
            if (bundle.lastNumber() >= next && !isEnded()) {
                unindexed(bundle.firstNumber() - 1, hintNs, Long.MIN_VALUE);
                search(bundle);
            }
            hintNs = bundle.firstNs();
        }
        search(state.closing(), hintNs);
        search(state.open(), hintNs);
        unindexed(Math.min(appended, state.rebuiltNumber()), hintNs, Long.MIN_VALUE);
    }

    /** Returns true if the visitor has stopped, or the search was cancelled. */
    private boolean isEnded() {
        return isEnough || isCancelled.getAsBoolean();
    }

    private long oldest() {
        return index.store().oldest(index.dataStream());
    }

    private void search(BundleEntry entry) {
        if (isEnded() || !entry.meets(question.afterNs(), question.beforeNs())) {
            passed(entry.lastNumber());
            return;
        }
        BundleRecord bundle = records.bundle(entry.record());
        if (bundle == null) {
            unindexed(entry.lastNumber(), entry.firstNs(), entry.firstNs());
            return;
        }
        BitSet groups = new BitSet();
        long oldest = oldest();
        for (int i = 0; i < bundle.groups().size(); i++) {
            GroupEntry group = bundle.groups().get(i);
            boolean isHeld = group.lastNumber() >= oldest;
            boolean isAsked = group.meets(question.afterNs(), question.beforeNs());
            groups.set(i, isHeld && isAsked);
            intervalsGone += isAsked && !isHeld ? group.intervals() : 0;
        }
        BitSet matching =
                new BundleProbe(records, index.keys(), bundle).mayMatch(question.probe(), (BitSet) groups.clone());
        long hintNs = entry.firstNs();
        for (int i = 0; i < bundle.groups().size() && !isEnded(); i++) {
            GroupEntry group = bundle.groups().get(i);
            gap(group.firstNumber() - 1, hintNs);
            if (groups.get(i) && !matching.get(i) && !group.hasGaps()) {
                skipped(group);
            } else if (groups.get(i)) {
                searchLevel1(group, records.group(group.level1()));
            }
            passed(group.lastNumber());
            hintNs = group.firstNs();
        }
    }

    private void passed(long number) {
        next = Math.max(next, number + 1);
    }

    private void skipped(GroupEntry group) {
        groupsSkipped++;
        intervalsSkippedByGroup += group.intervals();
    }

    /**
     * Searches the intervals of a group. A record with intervals of another group is ignored: otherwise the intervals
     * of this group would be missed.
     */
    private void searchLevel1(GroupEntry group, List<IntervalEntry> entries) {
        if (entries == null || !group.isOf(entries)) {
            unindexed(group.lastNumber(), group.firstNs(), group.firstNs());
        } else {
            search(entries);
        }
    }

    private void search(Bundle inMemory, long hintNs) {
        if (inMemory == null) {
            return;
        }
        for (Group group : inMemory.groups()) {
            List<IntervalEntry> entries = group.entries();
            if (isEnded() || (entries != null && entries.isEmpty())) {
                return;
            }
            long first = entries == null
                    ? group.entry().firstNumber()
                    : entries.get(0).interval().number();
            unindexed(first - 1, hintNs, Long.MIN_VALUE);
            if (group.isEnded()) {
                searchEnded(group.entry(), group, entries);
            } else {
                search(entries);
            }
        }
    }

    private void searchEnded(GroupEntry entry, Group group, List<IntervalEntry> entries) {
        if (!entry.meets(question.afterNs(), question.beforeNs())) {
            passed(entry.lastNumber());
        } else if (!entry.hasGaps() && !group.mayMatch(question.probe(), index.keys())) {
            skipped(entry);
            passed(entry.lastNumber());
        } else {
            searchLevel1(entry, entries == null ? records.group(entry.level1()) : entries);
        }
    }

    private void search(List<IntervalEntry> entries) {
        long oldest = oldest();
        long hintNs = Long.MIN_VALUE;
        for (IntervalEntry entry : entries) {
            Interval interval = entry.interval();
            if (hintNs != Long.MIN_VALUE) {
                gap(interval.number() - 1, hintNs);
            }
            if (isEnded()) {
                return;
            }
            hintNs = interval.lastNs();
            passed(interval.number());
            if (!interval.meets(question.afterNs(), question.beforeNs())) {
                continue;
            }
            if (interval.number() < oldest) {
                intervalsGone++;
            } else if (entry.mayMatch(question.probe(), index.keys())) {
                visit(interval, entry);
            } else {
                intervalsSkipped++;
            }
        }
    }

    /**
     * Visits intervals unknown to the index, starting with the next number. A record has the time of its last item.
     * Unreadable records are counted by number, unless their neighbours are outside the time span.
     *
     * @param hintNs lower bound for the first of these intervals, as far as known
     * @param firstNs lower bound for the start of all these intervals
     */
    private void unindexed(long lastNumber, long hintNs, long firstNs) {
        if (isBehind(lastNumber)) {
            return;
        }
        Unindexed span = new Unindexed(lastNumber, hintNs, firstNs);
        RecordView view = new RecordView();
        try (StreamReader reader = index.store().reader()) {
            if (question.afterNs() > hintNs) {
                unindexedFromTime(span, reader, view);
            } else {
                unindexedFromNumber(span, reader, view);
            }
        }
        passed(lastNumber);
    }

    /** Returns true if no interval up to a number remains to visit. */
    private boolean isBehind(long lastNumber) {
        if (!isEnded() && next <= lastNumber) {
            next = Math.max(next, oldest());
        }
        return isEnded() || next > lastNumber;
    }

    /** Visits the few records between two intervals known to the index. */
    private void gap(long lastNumber, long hintNs) {
        if (!isBehind(lastNumber)) {
            try (StreamReader reader = index.store().reader()) {
                unindexedFromNumber(new Unindexed(lastNumber, hintNs, Long.MIN_VALUE), reader, new RecordView());
            }
            passed(lastNumber);
        }
    }

    /** Records unknown to the index, starting with the next number; see {@link #unindexed(long, long, long)}. */
    private record Unindexed(long lastNumber, long hintNs, long firstNs) {}

    private void unindexedFromNumber(Unindexed span, StreamReader reader, RecordView view) {
        try (StreamCursor cursor = new NumberedCursor(reader, index.dataStream(), next, span.hintNs())) {
            visitAll(span, cursor, view, cursor.next(view));
        }
    }

    /**
     * Visits records from the start of the time span. Earlier records need no read, so their numbers do not reveal
     * damage.
     */
    private void unindexedFromTime(Unindexed span, StreamReader reader, RecordView view) {
        try (PatientCursor cursor = new PatientCursor(reader.cursor(index.dataStream(), question.afterNs()))) {
            boolean isThere = cursor.next(view);
            long lacking = lacking(span, view, isThere);
            if (lacking > 0) {
                intervalsDamaged += Math.min(cursor.failures(), lacking);
                next += lacking;
            }
            visitAll(span, cursor, view, isThere);
        }
    }

    /** Returns the number of held records between the next number and the record in the view. */
    private long lacking(Unindexed span, RecordView view, boolean isThere) {
        next = Math.max(next, oldest());
        long end = span.lastNumber() + 1;
        return (isThere ? Math.min(view.number(), end) : end) - next;
    }

    private void visitAll(Unindexed span, StreamCursor cursor, RecordView view, boolean isFirstThere) {
        boolean isThere = isFirstThere;
        long earlierNs = span.hintNs();
        while (!isEnded()) {
            boolean isAsked = !index.settings().isInOrder()
                    || (earlierNs <= question.beforeNs() && (!isThere || view.timeNs() >= question.afterNs()));
            intervalsDamaged += isAsked ? Math.max(0, lacking(span, view, isThere)) : 0;
            if (!isThere || view.number() > span.lastNumber()) {
                return;
            }
            if (view.number() >= next) {
                visitUnindexed(span, view);
                passed(view.number());
            }
            earlierNs = view.timeNs();
            isThere = cursor.next(view);
        }
    }

    private void visitUnindexed(Unindexed span, RecordView view) {
        Interval interval = new Interval(
                view.handle(), view.number(), Math.min(span.firstNs(), view.timeNs()), view.timeNs(), Interval.UNKNOWN);
        if (interval.meets(question.afterNs(), question.beforeNs())) {
            intervalsUnindexed++;
            visit(interval, null);
        }
    }

    private void visit(Interval interval, IntervalEntry entry) {
        intervalsVisited++;
        isEnough = !question.visitor().visit(interval, entry);
    }

    SearchCounts counts() {
        return new SearchCounts(
                groupsSkipped,
                intervalsSkippedByGroup,
                intervalsSkipped,
                intervalsGone,
                intervalsUnindexed,
                intervalsDamaged,
                intervalsVisited,
                records.reads() - readsBefore,
                records.bytes() - bytesBefore,
                records.damaged() - damagedBefore);
    }
}
