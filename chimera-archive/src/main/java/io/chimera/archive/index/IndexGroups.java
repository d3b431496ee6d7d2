package io.chimera.archive.index;

import io.chimera.archive.index.key.KeyBits;
import io.chimera.archive.index.key.RangeSummary;
import io.chimera.archive.index.record.BundleEntry;
import io.chimera.archive.index.record.BundleRecord;
import io.chimera.archive.index.record.GroupEntry;
import io.chimera.archive.index.record.IndexRecords;
import io.chimera.archive.index.record.IntervalEntry;
import io.chimera.archive.streamfs.store.RecordHandle;
import java.util.List;
import java.util.function.Consumer;

/**
 * Iterates over the groups of an index with their level 2, for copies on other nodes. Single-threaded; never blocks the
 * writer.
 */
public final class IndexGroups implements AutoCloseable {
    private final Index index;
    private final IndexRecords records;

    /** Record of the bundle with cached signatures, rebuilt from the slices. */
    private RecordHandle unsliced;

    private BundleRecord bundle;
    private long[][] signatures;

    IndexGroups(Index index) {
        this.index = index;
        records = new IndexRecords(index.store().reader(), index.keys());
    }

    /**
     * Group of intervals.
     *
     * @param firstNumber number of its first interval
     * @param lastNumber number of its last interval
     * @param firstNs lower bound for the times of its items; ns since 1970
     * @param lastNs upper bound for the times of its items
     * @param isEnded false if the group is still open, or cannot be read
     */
    public record Entry(long firstNumber, long lastNumber, long firstNs, long lastNs, boolean isEnded) {
        /** Returns true if the group may hold items of a time span, both ends included. */
        public boolean meets(long afterNs, long beforeNs) {
            return firstNs <= beforeNs && lastNs >= afterNs;
        }
    }

    /**
     * Visits the groups whose last interval is after the given number, in order; the last group may be open.
     *
     * @return false if records of the data stream are not covered by a group, or a group cannot be read: the groups are
     *     then incomplete
     * @throws io.chimera.common.error.ChimeraException when the device cannot be read
     */
    public boolean look(long afterNumber, Consumer<Entry> visitor) {
        long appended = index.store().appended(index.dataStream());
        IndexState state = index.state();
        Look look = new Look(afterNumber, visitor, index.store().oldest(index.dataStream()));
        for (BundleEntry entry : state.bundles()) {
            look.bundle(entry);
        }
        look.memory(state.closing());
        look.memory(state.open());
        return look.isWhole && look.next > Math.min(appended, state.rebuiltNumber());
    }

    /** Visits the ended, held groups within a time span, in order. Returns false if a group cannot be read. */
    public boolean meeting(long afterNs, long beforeNs, Consumer<Entry> visitor) {
        long oldest = index.store().oldest(index.dataStream());
        IndexState state = index.state();
        Look look = new Look(
                oldest - 1,
                entry -> {
                    if (entry.isEnded() && entry.meets(afterNs, beforeNs)) {
                        visitor.accept(entry);
                    }
                },
                oldest);
        for (BundleEntry entry : state.bundles()) {
            if (entry.meets(afterNs, beforeNs)) {
                look.bundle(entry);
            }
        }
        look.memory(state.closing());
        look.memory(state.open());
        return !look.isUnread;
    }

    /** One pass over all groups. */
    private final class Look {
        private final long afterNumber;
        private final Consumer<Entry> visitor;
        private long next;
        private boolean isWhole = true;
        private boolean isUnread;

        private Look(long afterNumber, Consumer<Entry> visitor, long oldest) {
            this.afterNumber = afterNumber;
            this.visitor = visitor;
            next = oldest;
        }

        private void bundle(BundleEntry entry) {
            if (entry.lastNumber() <= afterNumber) {
                passed(entry.firstNumber(), entry.lastNumber());
                return;
            }
            BundleRecord record = read(entry.record());
            if (record == null) {
                isWhole = false;
                isUnread = true;
                visit(new Entry(entry.firstNumber(), entry.lastNumber(), entry.firstNs(), entry.lastNs(), false));
                return;
            }
            for (GroupEntry group : record.groups()) {
                isWhole &= !group.hasGaps();
                visit(of(group, true));
            }
        }

        private void memory(Bundle inMemory) {
            if (inMemory != null) {
                inMemory.groups().forEach(this::group);
            }
        }

        private void group(Group group) {
            List<IntervalEntry> entries = group.entries();
            if (group.isEnded()) {
                GroupEntry entry = group.entry();
                isWhole &= !entry.hasGaps();
                visit(of(entry, true));
            } else if (entries != null && !entries.isEmpty()) {
                visit(filling(entries));
            }
        }

        private Entry filling(List<IntervalEntry> entries) {
            long firstNs = Long.MAX_VALUE;
            long lastNs = Long.MIN_VALUE;
            for (IntervalEntry entry : entries) {
                firstNs = Math.min(firstNs, entry.interval().firstNs());
                lastNs = Math.max(lastNs, entry.interval().lastNs());
            }
            long firstNumber = entries.get(0).interval().number();
            long lastNumber = entries.get(entries.size() - 1).interval().number();
            isWhole &= lastNumber - firstNumber < entries.size();
            return new Entry(firstNumber, lastNumber, firstNs, lastNs, false);
        }

        private void visit(Entry entry) {
            passed(entry.firstNumber(), entry.lastNumber());
            if (entry.lastNumber() > afterNumber) {
                visitor.accept(entry);
            }
        }

        private void passed(long firstNumber, long lastNumber) {
            isWhole &= firstNumber <= next;
            next = Math.max(next, lastNumber + 1);
        }
    }

    private static Entry of(GroupEntry group, boolean isEnded) {
        return new Entry(group.firstNumber(), group.lastNumber(), group.firstNs(), group.lastNs(), isEnded);
    }

    /**
     * Returns the summary of a group for other nodes.
     *
     * @param bitsPerKey minimum bits of the signature per distinct key
     * @return null when the group cannot be read, or is no longer held
     * @throws io.chimera.common.error.ChimeraException when the device cannot be read
     */
    public GroupSummary summary(Entry group, int bitsPerKey) {
        IndexState state = index.state();
        GroupSummary summary = ofMemory(state.closing(), group, bitsPerKey);
        if (summary == null) {
            summary = ofMemory(state.open(), group, bitsPerKey);
        }
        return summary == null ? ofStream(group, bitsPerKey) : summary;
    }

    private GroupSummary ofMemory(Bundle inMemory, Entry group, int bitsPerKey) {
        if (inMemory == null) {
            return null;
        }
        return inMemory.groups().stream()
                .filter(Group::isEnded)
                .filter(held -> held.entry().firstNumber() == group.firstNumber())
                .findFirst()
                .map(held -> summary(group, held.bits(), held.signature(), held.ranges(), bitsPerKey))
                .orElse(null);
    }

    private GroupSummary ofStream(Entry group, int bitsPerKey) {
        for (BundleEntry entry : index.state().bundles()) { // a newer state than above, so no group is missed
            if (entry.firstNumber() <= group.firstNumber() && entry.lastNumber() >= group.lastNumber()) {
                return isUnsliced(entry.record()) ? ofBundle(group, bitsPerKey) : null;
            }
        }
        return null;
    }

    private GroupSummary ofBundle(Entry group, int bitsPerKey) {
        for (int i = 0; i < signatures.length; i++) {
            GroupEntry held = bundle.groups().get(i);
            if (held.firstNumber() == group.firstNumber()) {
                return summary(group, bundle.bits(), signatures[i], held.ranges(), bitsPerKey);
            }
        }
        return null;
    }

    private BundleRecord read(RecordHandle record) {
        return record.equals(unsliced) ? bundle : records.bundle(record);
    }

    private boolean isUnsliced(RecordHandle record) {
        if (!record.equals(unsliced)) {
            unsliced = null;
            bundle = records.bundle(record);
            signatures = bundle == null ? null : records.signatures(bundle);
            unsliced = signatures == null ? null : record;
        }
        return unsliced != null;
    }

    private GroupSummary summary(
            Entry group, KeyBits bits, long[] signature, List<RangeSummary> ranges, int bitsPerKey) {
        int blocks = signature.length / KeyBits.BLOCK_LONGS;
        int fold = KeyBits.fold(blocks, KeyBits.blocks(bits.distinct(signature, blocks), bitsPerKey));
        long[] folded = fold == 1 ? signature : KeyBits.folded(signature, blocks, fold);
        return new GroupSummary(group, bits, folded, ranges, index.keys());
    }

    @Override
    public void close() {
        records.close();
    }
}
