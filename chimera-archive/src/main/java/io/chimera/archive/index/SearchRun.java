package io.chimera.archive.index;

import io.chimera.archive.streamfs.RecordView;
import io.chimera.archive.streamfs.StreamCursor;
import io.chimera.archive.streamfs.StreamReader;
import java.util.BitSet;
import java.util.List;

/**
 * One search: through the bundles in the index stream, then through what is in memory. It keeps the number of the record of the
 * data stream that comes next; where the index has a gap, the data stream is read instead. One thread.
 */
final class SearchRun {
    private final Index index;
    private final IndexRecords records;
    private final Question question;
    private final long readsBefore;
    private final long bytesBefore;
    private final long damagedBefore;

    private long next;
    private boolean isEnded;
    private long groupsSkipped;
    private long intervalsSkippedByGroup;
    private long intervalsSkipped;
    private long intervalsGone;
    private long intervalsUnindexed;
    private long intervalsVisited;

    /** What is asked, in which span of time, and who takes the answer. */
    record Question(Probe probe, long afterNs, long beforeNs, EntryVisitor visitor) {}

    /** Takes intervals with what the index knows of them. */
    @FunctionalInterface
    interface EntryVisitor {
        /** Looks at an interval; the entry is null if the index knows nothing. False ends the search. */
        boolean visit(Interval interval, IntervalEntry entry);
    }

    SearchRun(Index index, IndexRecords records, Question question) {
        this.index = index;
        this.records = records;
        this.question = question;
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
            if (bundle.lastNumber() >= next && !isEnded) {
                unindexed(bundle.firstNumber() - 1, hintNs, Long.MIN_VALUE);
                search(bundle);
            }
            hintNs = bundle.firstNs();
        }
        search(state.closing(), hintNs);
        search(state.open(), hintNs);
        if (!state.isWhole()) {
            unindexed(appended, hintNs, Long.MIN_VALUE);
        }
    }

    private long oldest() {
        return index.store().oldest(index.dataStream());
    }

    private void search(BundleEntry entry) {
        if (isEnded || !entry.meets(question.afterNs(), question.beforeNs())) {
            next = entry.lastNumber() + 1;
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
        groups.stream()
                .filter(i -> !matching.get(i))
                .forEach(i -> skipped(bundle.groups().get(i)));
        for (int i = matching.nextSetBit(0); i >= 0 && !isEnded; i = matching.nextSetBit(i + 1)) {
            GroupEntry group = bundle.groups().get(i);
            next = group.firstNumber();
            searchLevel1(group, records.group(group.level1()));
        }
        next = entry.lastNumber() + 1;
    }

    private void skipped(GroupEntry group) {
        groupsSkipped++;
        intervalsSkippedByGroup += group.intervals();
    }

    private void searchLevel1(GroupEntry group, List<IntervalEntry> entries) {
        if (entries == null) {
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
            if (isEnded || (entries != null && entries.isEmpty())) {
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
        next = Math.max(next, entry.firstNumber());
        if (!entry.meets(question.afterNs(), question.beforeNs())) {
            next = entry.lastNumber() + 1;
        } else if (!group.mayMatch(question.probe(), index.keys())) {
            skipped(entry);
            next = entry.lastNumber() + 1;
        } else {
            searchLevel1(entry, entries == null ? records.group(entry.level1()) : entries);
        }
    }

    private void search(List<IntervalEntry> entries) {
        long oldest = oldest();
        for (IntervalEntry entry : entries) {
            Interval interval = entry.interval();
            if (isEnded) {
                return;
            }
            next = interval.number() + 1;
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
     * Visits intervals of which the index knows nothing, from the next one on. Their records have the time of their last item.
     *
     * @param hintNs no later than the first of them, as far as is known
     * @param firstNs none of them begins earlier
     */
    private void unindexed(long lastNumber, long hintNs, long firstNs) {
        if (isEnded || next > lastNumber) {
            return;
        }
        RecordView view = new RecordView();
        try (StreamReader reader = index.store().reader();
                StreamCursor cursor = unindexedFrom(reader, hintNs)) {
            while (!isEnded && cursor.next(view) && view.number() <= lastNumber) {
                Interval interval = new Interval(
                        view.handle(),
                        view.number(),
                        Math.min(firstNs, view.timeNs()),
                        view.timeNs(),
                        Interval.UNKNOWN);
                if (view.number() >= next && interval.meets(question.afterNs(), question.beforeNs())) {
                    intervalsUnindexed++;
                    visit(interval, null);
                }
            }
        }
        next = lastNumber + 1;
    }

    /** What ends before the span of time that is asked for need not be read. */
    private StreamCursor unindexedFrom(StreamReader reader, long hintNs) {
        return question.afterNs() > hintNs
                ? new PatientCursor(reader.cursor(index.dataStream(), question.afterNs()))
                : new NumberedCursor(reader, index.dataStream(), next, hintNs);
    }

    private void visit(Interval interval, IntervalEntry entry) {
        intervalsVisited++;
        isEnded = !question.visitor().visit(interval, entry);
    }

    SearchCounts counts() {
        return new SearchCounts(
                groupsSkipped,
                intervalsSkippedByGroup,
                intervalsSkipped,
                intervalsGone,
                intervalsUnindexed,
                intervalsVisited,
                records.reads() - readsBefore,
                records.bytes() - bytesBefore,
                records.damaged() - damagedBefore);
    }
}
