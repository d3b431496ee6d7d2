package io.chimera.archive.index;

import java.time.Duration;
import java.util.List;

/**
 * How an index is made. May differ from one start to the next as long as the keys stay the same: records of the index say how
 * they were made.
 *
 * @param keys the keys; their numbers are their positions
 * @param kind how keys are superimposed
 * @param bitsPerKey level 1: bits of the signature per distinct value in the interval
 * @param groupBitsPerKey level 2: bits of the signature per distinct value in the group
 * @param intervalKeysMax distinct values of one interval; an interval with more is searched by every probe
 * @param groupIntervals k: intervals of a group
 * @param groupAgeNs a group ends once it is so old, by the times of its items or by the clock, in ns; {@link #ANY_AGE}: whatever its age
 * @param sliceGroups N: groups whose level-2 signatures are sliced together; a multiple of 64
 * @param isInOrder whether each record is of a time between those around it, as packets are; rows of a cycle that is run again are not
 */
public record IndexSettings(
        List<IndexKey> keys,
        SignatureKind kind,
        int bitsPerKey,
        int groupBitsPerKey,
        int intervalKeysMax,
        int groupIntervals,
        long groupAgeNs,
        int sliceGroups,
        boolean isInOrder) {
    /** Groups end only when they are full. */
    public static final long ANY_AGE = Long.MAX_VALUE;

    /** 8 bits: one in 36 probes of an interval finds what is not there; asked only where level 2 says that the group has it. */
    public static final int BITS_PER_KEY_DEFAULT = 8;

    /** 16 bits: one in a thousand probes of a group reads its level 1 in vain, which is up to 512 KiB of busy traffic. */
    public static final int GROUP_BITS_PER_KEY_DEFAULT = 16;

    /** 64 KiB of the shortest packets are 862, with nine keys each 7,800 values; twice as many, and some for points. */
    public static final int INTERVAL_KEYS_MAX_DEFAULT = 16 << 10;

    /**
     * 128 intervals of 64 KiB: 8 MiB of data. The longer a group, the more of its keys come again in it and are
     * superimposed once.
     */
    public static final int GROUP_INTERVALS_DEFAULT = 128;

    /** 64 groups: a block of 256 slices has 2 KiB, and one read decides about 512 MiB of data. */
    public static final int SLICE_GROUPS_DEFAULT = 64;

    private static final int REBUILT_BUNDLES_MAX = 4;
    private static final int KEYS_MAX = 64;
    private static final int BITS_MAX = 64;
    private static final int INTERVAL_KEYS_MAX = 64 << 10;
    private static final int BUNDLE_INTERVALS_MAX = 64 << 10;
    private static final int NUMBER_BYTES_MAX = 10;
    private static final int HANDLE_BYTES_MAX = NUMBER_BYTES_MAX + Long.BYTES;
    private static final int ENTRY_BYTES_MAX = HANDLE_BYTES_MAX + 6 * NUMBER_BYTES_MAX;

    /** Intervals of a group at most. */
    static final int GROUP_INTERVALS_MAX = 1024;

    /** Groups of a bundle at most. */
    static final int SLICE_GROUPS_MAX = 4096;

    /** Blocks of a level-1 signature at most: 64 Ki keys of 64 bits. */
    static final int SIGNATURE_BLOCKS_MAX = INTERVAL_KEYS_MAX * BITS_MAX / KeyBits.BLOCK_BITS;

    /**
     * Blocks of a level-2 signature per interval before it is folded: 960 distinct keys of 16 bits. The number has many
     * divisors, so that folding comes close to any size. A group of more mixed traffic ends earlier.
     */
    private static final int GROUP_BLOCKS_PER_INTERVAL = 60;

    /** Short groups have blocks for as many intervals, as one alone may have many keys. */
    private static final int GROUP_INTERVALS_FEW = 16;

    /** Blocks of a level-2 signature at most. */
    static final int GROUP_BLOCKS_MAX = GROUP_INTERVALS_MAX * GROUP_BLOCKS_PER_INTERVAL;

    /** Checks the bounds and copies. */
    public IndexSettings {
        keys = List.copyOf(keys);
        check("number of keys", keys.size(), 1, KEYS_MAX);
        check("bits per key", bitsPerKey, 1, BITS_MAX);
        check("group bits per key", groupBitsPerKey, 1, BITS_MAX);
        check("distinct keys of an interval", intervalKeysMax, 1, INTERVAL_KEYS_MAX);
        check("intervals of a group", groupIntervals, 1, GROUP_INTERVALS_MAX);
        if (groupAgeNs <= 0) {
            throw new IllegalArgumentException("Index: the age of a group must be positive: " + groupAgeNs);
        }
        check("groups sliced together", sliceGroups, Long.SIZE, SLICE_GROUPS_MAX);
        if (sliceGroups % Long.SIZE != 0) {
            throw new IllegalArgumentException("Index: groups sliced together must be a multiple of 64.");
        }
        check("intervals of a bundle", groupIntervals * sliceGroups, 1, BUNDLE_INTERVALS_MAX);
    }

    /** Of records in the order of their times, in groups of any age. */
    public IndexSettings(
            List<IndexKey> keys,
            SignatureKind kind,
            int bitsPerKey,
            int groupBitsPerKey,
            int intervalKeysMax,
            int groupIntervals,
            int sliceGroups) {
        this(keys, kind, bitsPerKey, groupBitsPerKey, intervalKeysMax, groupIntervals, ANY_AGE, sliceGroups, true);
    }

    /** The same with groups that are not older. */
    public IndexSettings withGroupAge(Duration age) {
        return new IndexSettings(
                keys,
                kind,
                bitsPerKey,
                groupBitsPerKey,
                intervalKeysMax,
                groupIntervals,
                age.toNanos(),
                sliceGroups,
                isInOrder);
    }

    /** The same for records of times in any order. */
    public IndexSettings inAnyOrder() {
        return new IndexSettings(
                keys,
                kind,
                bitsPerKey,
                groupBitsPerKey,
                intervalKeysMax,
                groupIntervals,
                groupAgeNs,
                sliceGroups,
                false);
    }

    /** The defaults for these keys. */
    public static IndexSettings of(List<IndexKey> keys) {
        return new IndexSettings(
                keys,
                SignatureKind.SPLIT_BLOCK,
                BITS_PER_KEY_DEFAULT,
                GROUP_BITS_PER_KEY_DEFAULT,
                INTERVAL_KEYS_MAX_DEFAULT,
                GROUP_INTERVALS_DEFAULT,
                SLICE_GROUPS_DEFAULT);
    }

    /**
     * Intervals that are read again at most when an index is opened. What a crash leaves out of the index is two bundles; twice as many
     * are 2 GiB of data, some seconds. Without a bound an archive whose index is gone could not be written to for hours.
     */
    int rebuiltIntervalsMax() {
        return REBUILT_BUNDLES_MAX * sliceGroups * groupIntervals;
    }

    /** Blocks of a level-2 signature before it is folded. */
    int groupBlocks() {
        return Math.max(GROUP_INTERVALS_FEW, groupIntervals) * GROUP_BLOCKS_PER_INTERVAL;
    }

    /** Bytes of a level-1 signature at most. */
    int signatureBytesMax() {
        return KeyBits.blocks(intervalKeysMax, bitsPerKey) * KeyBits.BLOCK_BYTES;
    }

    /** Refuses what would not fit into records of so many bytes, whatever is written. */
    void check(int recordLengthMax) {
        long ranges = keys.stream().mapToLong(IndexSettings::rangeBytesMax).sum();
        long group = groupIntervals * (ENTRY_BYTES_MAX + ranges);
        long slices = groupBlocks() / SliceRecord.blocksPerRecord(sliceGroups, groupBlocks()) + 1L;
        long bundle = (BundleRecord.RUN_LENGTH + sliceGroups) * (ENTRY_BYTES_MAX + ranges) + slices * HANDLE_BYTES_MAX;
        long slice = (long) SliceRecord.blocksPerRecord(sliceGroups, GROUP_BLOCKS_MAX)
                * KeyBits.BLOCK_BITS
                * SliceRecord.sliceBytes(sliceGroups);
        long longest = Math.max(2L * Math.max(group, signatureBytesMax()), Math.max(bundle, slice));
        if (longest > recordLengthMax) {
            throw new IllegalArgumentException("Index: a record may need " + longest + " bytes, the store takes "
                    + recordLengthMax
                    + ". Lower the intervals of a group, the groups sliced together, the distinct keys of an"
                    + " interval, or the cells and most frequent values of keys: " + this);
        }
    }

    private static long rangeBytesMax(IndexKey key) {
        return key.kind() == IndexKey.Kind.EXACT
                ? 0
                : 3L * NUMBER_BYTES_MAX + key.cells() / Byte.SIZE + (1 + key.top()) * 2L * NUMBER_BYTES_MAX;
    }

    private static void check(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException("Index: " + what + " must be from " + min + " to " + max + ": " + value);
        }
    }
}
