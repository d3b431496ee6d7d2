package io.chimera.archive.index;

import io.chimera.archive.index.key.KeyBits;
import io.chimera.archive.index.record.BundleRecord;
import io.chimera.archive.index.record.GroupRecord;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.index.record.IntervalEntry;
import io.chimera.archive.index.record.RecordOutput;
import io.chimera.archive.streamfs.store.RecordHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects intervals into groups and groups into bundles, and appends them to the index stream: level 1 when a group is
 * full or old, slices and bundle record when a bundle is full. Without room in the store, due records wait, within
 * limits. Writer's thread.
 */
final class IndexAppender {
    /** Maximum groups waiting for the store. */
    private static final int GROUPS_DUE_MAX = 16;

    private final Index index;
    private final IndexSettings settings;
    private final KeyBits groupBits;
    private final RecordOutput out;
    private final int level1BytesMax;

    /** Content of {@link #out} that waits for room in the store. */
    private enum Encoded {
        NOTHING,
        GROUP,
        SLICES,
        BUNDLE
    }

    private Bundle open;
    private Group filling; // in the bundle once the group has an interval
    private BundleWriter closing;
    private final List<Group> due = new ArrayList<>();
    private Encoded encoded = Encoded.NOTHING;

    /** True after {@link #begin} until the interval is added. */
    private boolean isBegun;

    /** Open group of the last age check, and clock time of its first check. */
    private Group aging;

    private long agingSinceNs;
    private long timeNs = Long.MIN_VALUE;

    IndexAppender(Index index, Bundle open) {
        this.index = index;
        this.open = open;
        settings = index.settings();
        groupBits = KeyBits.of(settings.kind(), settings.groupBitsPerKey());
        filling = new Group(groupBits, settings);
        out = new RecordOutput(index.keys());
        level1BytesMax = index.store().recordLengthMax() / 2;
        index.newestBundle(out);
    }

    /** Returns true if an interval can be added, even if it forces the open group to end. */
    boolean isReady() {
        return due.size() < GROUPS_DUE_MAX && (closing == null || open.hasRoom());
    }

    /** Returns the group for the keys of the interval in progress, valid until the interval is added. */
    Group group() {
        return filling;
    }

    /**
     * Announces the times of the next interval, before its keys. Starts a new group if the open group would become too
     * old.
     */
    void begin(long firstNs, long lastNs) {
        checkReady();
        isBegun = true; // readiness now holds for the whole interval
        if (settings.groupAgeNs() != IndexSettings.ANY_AGE && filling.isOver(settings.groupAgeNs(), firstNs, lastNs)) {
            end(filling);
        }
    }

    /** Ends the group if it is old by the clock. No key of the next interval may have been added. */
    void age(long nowNs) {
        if (filling.size() == 0) {
            return;
        }
        if (aging != filling) {
            aging = filling;
            agingSinceNs = nowNs;
        } else if (nowNs - agingSinceNs >= settings.groupAgeNs() && due.size() < GROUPS_DUE_MAX) {
            end(filling);
        }
    }

    /** Adds an interval. */
    void add(IntervalEntry entry) {
        Group group = filling;
        if (!isBegun) {
            checkReady();
        }
        isBegun = false;
        if (group.size() == 0) {
            open.add(group);
        }
        group.add(entry);
        timeNs = Math.max(timeNs, entry.interval().lastNs());
        if (group.size() == settings.groupIntervals()
                || group.isFull(settings.groupBitsPerKey())
                || group.level1Bytes() + settings.signatureBytesMax() > level1BytesMax) {
            end(group);
        }
    }

    private void checkReady() {
        if (!isReady()) {
            throw new IllegalStateException("An interval was added while the index was not ready.");
        }
    }

    private void end(Group group) {
        group.end(index.keys(), settings.groupBitsPerKey());
        due.add(group);
        filling = new Group(groupBits, settings);
        if (open.isFull()) {
            close();
        }
    }

    /** Starts the append of the full bundle, unless the previous bundle is still in progress. */
    private void close() {
        if (closing == null) {
            closing = new BundleWriter(open, groupBits, settings);
            open = new Bundle(settings.sliceGroups());
            index.closing(closing.bundle(), open);
        }
    }

    /** Ends the open group. */
    void finish() {
        if (filling.size() > 0) {
            end(filling);
        }
    }

    /** Returns true if everything is in the index stream; otherwise closes the last bundle when possible. */
    boolean isFinished() {
        if (due.isEmpty() && closing == null && open.newest() != null) {
            close();
        }
        return due.isEmpty() && closing == null;
    }

    /**
     * Appends the next record if the store has room. An encoded record goes first, even if other records have become
     * due.
     */
    int doWork() {
        return switch (encoded == Encoded.NOTHING ? next() : encoded) {
            case NOTHING -> 0;
            case GROUP -> appendGroup();
            case SLICES -> appendSlices();
            case BUNDLE -> appendBundle();
        };
    }

    private Encoded next() {
        if (!due.isEmpty()) {
            return Encoded.GROUP;
        }
        if (closing == null) {
            return Encoded.NOTHING;
        }
        return closing.isSliced() ? Encoded.BUNDLE : Encoded.SLICES;
    }

    private int appendGroup() {
        Group group = due.get(0);
        if (encoded == Encoded.NOTHING) {
            GroupRecord.encode(out, group.entries(), index.keys());
        }
        RecordHandle record = append(Encoded.GROUP);
        if (record == null) {
            return 0;
        }
        group.appended(record);
        due.remove(0);
        return 1;
    }

    private int appendSlices() {
        if (encoded == Encoded.NOTHING) {
            closing.slices(out);
        }
        RecordHandle record = append(Encoded.SLICES);
        if (record == null) {
            return 0;
        }
        closing.appended(record);
        return 1;
    }

    private int appendBundle() {
        BundleRecord bundle = closing.record(index.run(), index.runBefore());
        if (encoded == Encoded.NOTHING) {
            bundle.encode(out);
        }
        RecordHandle record = append(Encoded.BUNDLE);
        if (record == null) {
            return 0;
        }
        closing = null;
        index.appended(bundle.entry(record));
        index.newestBundle(out);
        if (open.isFull()) {
            close();
        }
        return 1;
    }

    private RecordHandle append(Encoded what) {
        RecordHandle record = index.store().append(index.indexStream(), timeNs, out.end(), 0, out.length());
        encoded = record == null ? what : Encoded.NOTHING;
        return record;
    }
}
