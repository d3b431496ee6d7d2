package io.chimera.archive.index.record;

import io.chimera.archive.index.key.IndexKey;
import io.chimera.archive.index.key.KeyBits;
import io.chimera.archive.index.key.SignatureKind;
import java.time.Duration;
import java.util.List;

/**
 * Settings of an index. Settings may change between starts as long as the keys stay the same: index records contain the
 * settings needed to read them.
 *
 * @param keys keys; the position of a key is its number
 * @param kind signature scheme
 * @param bitsPerKey level 1: signature bits per distinct value of the interval
 * @param groupBitsPerKey level 2: signature bits per distinct value of the group
 * @param intervalKeysMax maximum distinct values of an interval; an interval with more values matches every probe
 * @param groupIntervals k: intervals per group
 * @param groupAgeNs maximum age of a group, by the times of its items or by the clock, in ns; {@link #ANY_AGE}:
 *     unlimited
 * @param sliceGroups N: groups whose level-2 signatures are sliced together; a multiple of 64
 * @param isInOrder true if the records are ordered by time, like packets; false for rows, because a replayed cycle is
 *     out of order
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
    /** Unlimited age: groups end only when they are full. */
    public static final long ANY_AGE = Long.MAX_VALUE;

    /** 8 bits: a false-positive rate of 1/36 per interval; relevant only in groups selected by level 2. */
    public static final int BITS_PER_KEY_DEFAULT = 8;

    /**
     * 16 bits: a false-positive rate of 1/1000 per group. A false positive reads level 1 in vain, up to 512 KiB for
     * busy traffic.
     */
    public static final int GROUP_BITS_PER_KEY_DEFAULT = 16;

    /**
     * Twice the 7,800 values of an interval with the shortest packets (64 KiB hold 862 packets with nine keys each),
     * plus a margin for points.
     */
    public static final int INTERVAL_KEYS_MAX_DEFAULT = 16 << 10;

    /** 128 intervals of 64 KiB: 8 MiB of data. In longer groups more keys recur, and recurring keys are stored once. */
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

    /** Maximum intervals per group. */
    static final int GROUP_INTERVALS_MAX = 1024;

    /** Maximum groups per bundle. */
    static final int SLICE_GROUPS_MAX = 4096;

    /** Maximum blocks of a level-1 signature: 64 Ki keys of 64 bits. */
    static final int SIGNATURE_BLOCKS_MAX = INTERVAL_KEYS_MAX * BITS_MAX / KeyBits.BLOCK_BITS;

    /**
     * Blocks of an unfolded level-2 signature per interval: 960 distinct keys of 16 bits. The number has many divisors,
     * so folding comes close to any size. A group with more distinct keys ends earlier.
     */
    private static final int GROUP_BLOCKS_PER_INTERVAL = 60;

    /** Minimum intervals for the signature size of short groups, because a single interval may have many keys. */
    private static final int GROUP_INTERVALS_FEW = 16;

    /** Maximum blocks of a level-2 signature. */
    public static final int GROUP_BLOCKS_MAX = GROUP_INTERVALS_MAX * GROUP_BLOCKS_PER_INTERVAL;

    /** Checks the bounds and copies the keys. */
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

    /** Creates settings for records ordered by time, in groups without an age limit. */
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

    /** Returns a copy with a maximum age of groups. */
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

    /** Returns a copy for records in any order of time. */
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

    /** Returns the defaults for these keys. */
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
     * Returns the maximum number of intervals re-indexed at opening. A crash costs two bundles of the index; the limit
     * is four bundles, i.e. 2 GiB of data or some seconds. Without a limit, an archive with a lost index would be
     * unwritable for hours.
     */
    public int rebuiltIntervalsMax() {
        return REBUILT_BUNDLES_MAX * sliceGroups * groupIntervals;
    }

    /** Returns the blocks of an unfolded level-2 signature. */
    public int groupBlocks() {
        return Math.max(GROUP_INTERVALS_FEW, groupIntervals) * GROUP_BLOCKS_PER_INTERVAL;
    }

    /** Returns the maximum bytes of a level-1 signature. */
    public int signatureBytesMax() {
        return KeyBits.blocks(intervalKeysMax, bitsPerKey) * KeyBits.BLOCK_BYTES;
    }

    /** Rejects settings whose largest records exceed a record length. */
    public void check(int recordLengthMax) {
        long ranges = keys.stream().mapToLong(IndexSettings::rangeBytesMax).sum();
        long group = groupIntervals * (ENTRY_BYTES_MAX + ranges);
        long slices = groupBlocks() / SliceRecord.blocksPerRecord(sliceGroups, groupBlocks()) + 1L;
        long bundle = (BundleRecord.RUN_LENGTH + sliceGroups) * (ENTRY_BYTES_MAX + ranges) + slices * HANDLE_BYTES_MAX;
        long slice = (long) SliceRecord.blocksPerRecord(sliceGroups, GROUP_BLOCKS_MAX)
                * KeyBits.BLOCK_BITS
                * SliceRecord.sliceBytes(sliceGroups);
        long longest = Math.max(2L * Math.max(group, signatureBytesMax()), Math.max(bundle, slice));
        if (longest > recordLengthMax) {
            throw new IllegalArgumentException("Index: a record may need " + longest + " bytes, but the store accepts "
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
