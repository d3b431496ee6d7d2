package io.chimera.archive.index.record;

import io.chimera.archive.index.key.KeyBits;
import io.chimera.archive.index.key.KeyTable;
import io.chimera.archive.index.key.RangeSummary;
import io.chimera.archive.streamfs.store.RecordHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Last record of a bundle in the index stream: references to all earlier bundles, the groups and the slices.
 *
 * <pre>
 *   header (type 3) | bundles before | for each: handle, numbers, times        of the same run: up to 63
 *                   | 1 | handle of the last bundle of the run before           or 0
 *                   | blocks | blocks per slice record | groups
 *                   | for each group: handle of level 1, numbers, times, intervals, ranges
 *                   | handles of the slice records
 * </pre>
 *
 * @param bits signature scheme
 * @param run earlier bundles of the same run
 * @param runBefore last bundle of the previous run; null without a previous run
 * @param blocks blocks of the level-2 signatures
 * @param blocksPerRecord blocks per slice record
 * @param groups groups in order
 * @param slices handles of the slice records
 */
public record BundleRecord(
        KeyBits bits,
        List<BundleEntry> run,
        @Nullable RecordHandle runBefore,
        int blocks,
        int blocksPerRecord,
        List<GroupEntry> groups,
        List<RecordHandle> slices) {
    public static final byte TYPE = 3;
    /** Maximum bundles of a run, including this bundle. Opening an index reads one record per run. */
    public static final int RUN_LENGTH = 64;

    private static final int BUNDLE_LENGTH_MIN = 13;
    private static final int GROUP_LENGTH_MIN = 14;

    public RecordOutput encode(RecordOutput out) {
        out.begin(TYPE, bits).putCount(run.size());
        for (BundleEntry entry : run) {
            out.putHandle(entry.record());
            out.putCount(entry.firstNumber()).putCount(entry.lastNumber() - entry.firstNumber());
            out.putSigned(entry.firstNs()).putCount(entry.lastNs() - entry.firstNs());
        }
        out.putCount(runBefore == null ? 0 : 1);
        if (runBefore != null) {
            out.putHandle(runBefore);
        }
        out.putCount(blocks).putCount(blocksPerRecord).putCount(groups.size());
        long number = 0;
        long firstNs = 0;
        for (GroupEntry group : groups) {
            out.putHandle(group.level1());
            out.putCount(group.firstNumber() - number).putCount(group.lastNumber() - group.firstNumber());
            out.putSigned(group.firstNs() - firstNs).putCount(group.lastNs() - group.firstNs());
            out.putCount(group.intervals());
            RangeCodec.put(out, group.ranges());
            number = group.lastNumber();
            firstNs = group.firstNs();
        }
        slices.forEach(out::putHandle);
        return out;
    }

    public static BundleRecord decode(RecordInput in, KeyTable keys) throws DamagedRecordException {
        List<BundleEntry> run = run(in);
        RecordHandle runBefore = in.count() == 0 ? null : in.handle();
        int blocks = in.count(IndexSettings.GROUP_BLOCKS_MAX, 0);
        int blocksPerRecord = in.count(IndexSettings.GROUP_BLOCKS_MAX, 0);
        if (blocks == 0 || blocksPerRecord == 0) {
            throw new DamagedRecordException("a bundle without slices");
        }
        List<GroupEntry> groups = groups(in, keys);
        List<RecordHandle> slices = new ArrayList<>();
        for (int block = 0; block < blocks; block += blocksPerRecord) {
            slices.add(in.handle());
        }
        return new BundleRecord(in.bits(), run, runBefore, blocks, blocksPerRecord, groups, slices);
    }

    private static List<BundleEntry> run(RecordInput in) throws DamagedRecordException {
        int size = in.count(RUN_LENGTH - 1, BUNDLE_LENGTH_MIN);
        List<BundleEntry> run = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            RecordHandle record = in.handle();
            long firstNumber = in.count();
            long lastNumber = firstNumber + in.count();
            long firstNs = in.signed();
            run.add(new BundleEntry(record, firstNumber, lastNumber, firstNs, firstNs + in.count()));
        }
        return run;
    }

    private static List<GroupEntry> groups(RecordInput in, KeyTable keys) throws DamagedRecordException {
        int size = in.count(IndexSettings.SLICE_GROUPS_MAX, GROUP_LENGTH_MIN);
        if (size == 0) {
            throw new DamagedRecordException("a bundle without groups");
        }
        List<GroupEntry> groups = new ArrayList<>(size);
        long number = 0;
        long firstNs = 0;
        for (int i = 0; i < size; i++) {
            RecordHandle level1 = in.handle();
            long firstNumber = number + in.count();
            number = firstNumber + in.count();
            firstNs += in.signed();
            long lastNs = firstNs + in.count();
            int intervals = in.count(IndexSettings.GROUP_INTERVALS_MAX, 0);
            List<RangeSummary> ranges = RangeCodec.ranges(in, keys);
            groups.add(new GroupEntry(level1, firstNumber, number, firstNs, lastNs, intervals, ranges));
        }
        return groups;
    }

    /** Returns the part kept in memory. */
    public BundleEntry entry(RecordHandle record) {
        long firstNs = Long.MAX_VALUE;
        long lastNs = Long.MIN_VALUE;
        for (GroupEntry group : groups) {
            firstNs = Math.min(firstNs, group.firstNs());
            lastNs = Math.max(lastNs, group.lastNs());
        }
        long lastNumber = groups.get(groups.size() - 1).lastNumber();
        return new BundleEntry(record, groups.get(0).firstNumber(), lastNumber, firstNs, lastNs);
    }
}
