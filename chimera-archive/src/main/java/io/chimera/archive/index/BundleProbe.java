package io.chimera.archive.index;

import io.chimera.archive.index.key.KeyBits;
import io.chimera.archive.index.key.KeyTable;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.key.Summary;
import io.chimera.archive.index.record.BundleRecord;
import io.chimera.archive.index.record.IndexRecords;
import io.chimera.archive.index.record.SliceProbe;
import io.chimera.archive.streamfs.store.RecordHandle;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;

/** Evaluates a probe on level 2 of a bundle in the index stream. Reads only the needed slices. */
final class BundleProbe {
    private final IndexRecords records;
    private final KeyTable keys;
    private final BundleRecord bundle;

    BundleProbe(IndexRecords records, KeyTable keys, BundleRecord bundle) {
        this.records = records;
        this.keys = keys;
        this.bundle = bundle;
    }

    /** Returns the subset of groups that may match the probe. */
    BitSet mayMatch(Probe probe, BitSet groups) {
        if (groups.isEmpty() || probe == Probe.All.EVERYTHING) {
            return groups;
        }
        if (probe instanceof Probe.Exact exact) {
            return holding(KeyBits.keyed(exact.key(), exact.hash()), groups);
        }
        if (probe instanceof Probe.And and) {
            BitSet rest = groups;
            for (Probe part : and.probes()) {
                rest = mayMatch(part, rest);
            }
            return rest;
        }
        if (probe instanceof Probe.Or or) {
            return anyOf(or, groups);
        }
        return inRange(probe, groups);
    }

    private BitSet anyOf(Probe.Or or, BitSet groups) {
        BitSet undecided = (BitSet) groups.clone();
        BitSet matching = new BitSet();
        for (Probe part : or.probes()) {
            BitSet more = mayMatch(part, (BitSet) undecided.clone());
            matching.or(more);
            undecided.andNot(more);
        }
        return matching;
    }

    private BitSet inRange(Probe probe, BitSet groups) {
        BitSet matching = new BitSet();
        groups.stream()
                .filter(group -> Summary.mayMatchRange(bundle.groups().get(group), probe, keys))
                .forEach(matching::set);
        return matching;
    }

    private BitSet holding(long keyed, BitSet groups) {
        BitSet matching = (BitSet) groups.clone();
        for (Map.Entry<Integer, int[]> record : positions(keyed).entrySet()) {
            if (matching.isEmpty()) {
                break;
            }
            RecordHandle handle = bundle.slices().get(record.getKey());
            byte[] set = records.slices(
                    handle, new SliceProbe(record.getValue(), bundle.groups().size()));
            if (set != null) {
                matching.and(BitSet.valueOf(set));
            }
        }
        return matching;
    }

    /** Returns the bit positions of a key by slice record. */
    private Map<Integer, int[]> positions(long keyed) {
        Map<Integer, int[]> byRecord = new TreeMap<>();
        for (int i = 0; i < bundle.bits().bits(); i++) {
            int position = bundle.bits().position(keyed, i, bundle.blocks());
            byRecord.merge(
                    position / KeyBits.BLOCK_BITS / bundle.blocksPerRecord(), new int[] {position}, BundleProbe::both);
        }
        return byRecord;
    }

    private static int[] both(int[] first, int[] second) {
        int[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
