package io.chimera.archive.index;

import io.chimera.archive.index.key.KeyBits;
import io.chimera.archive.index.record.BundleEntry;
import io.chimera.archive.index.record.BundleRecord;
import io.chimera.archive.index.record.GroupEntry;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.index.record.RecordOutput;
import io.chimera.archive.index.record.SliceRecord;
import io.chimera.archive.streamfs.store.RecordHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a full bundle to the index stream, one record at a time: first the slices of all groups, then the bundle
 * record. The signature length is chosen here, when the number of keys is known: signatures are folded to the shortest
 * length that leaves every key its bits. Writer's thread.
 */
final class BundleWriter {
    private final Bundle bundle;
    private final KeyBits bits;
    private final int blocks;
    private final int blocksPerRecord;
    private final List<long[]> signatures;
    private final List<RecordHandle> slices = new ArrayList<>();

    BundleWriter(Bundle bundle, KeyBits bits, IndexSettings settings) {
        this.bundle = bundle;
        this.bits = bits;
        int unfolded = settings.groupBlocks();
        List<Group> groups = bundle.groups();
        long distinct =
                (long) groups.stream().mapToLong(Group::distinct).average().orElse(0);
        blocks = unfolded / KeyBits.fold(unfolded, KeyBits.blocks(distinct, settings.groupBitsPerKey()));
        blocksPerRecord = SliceRecord.blocksPerRecord(groups.size(), blocks);
        signatures = groups.stream().map(Group::signature).toList();
    }

    Bundle bundle() {
        return bundle;
    }

    /** Returns true if all slices have been appended. */
    boolean isSliced() {
        return slices.size() * blocksPerRecord >= blocks;
    }

    /** Encodes the next slice record. */
    RecordOutput slices(RecordOutput out) {
        int first = slices.size() * blocksPerRecord;
        return SliceRecord.encode(out, signatures, blocks, first, Math.min(blocksPerRecord, blocks - first), bits);
    }

    /** Notes an appended slice record. */
    void appended(RecordHandle record) {
        slices.add(record);
    }

    /** Creates the bundle record, after all slices and groups have been appended. */
    BundleRecord record(List<BundleEntry> run, RecordHandle runBefore) {
        List<GroupEntry> groups = new ArrayList<>();
        for (Group group : bundle.groups()) {
            groups.add(group.entry());
        }
        return new BundleRecord(bits, run, runBefore, blocks, blocksPerRecord, groups, slices);
    }
}
