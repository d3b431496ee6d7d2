package io.chimera.common.wire;

import io.chimera.api.HotPath;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A slice of a shard: the records that a cluster with {@code count} times as many shards would put into one of its shards. A
 * processor that cannot hold a shard takes it slice by slice.
 *
 * @param index 0 to count - 1
 * @param count number of slices of the shard, a power of two
 */
public record Slice(int index, int count) {
    /** The most slices of a shard. A shard of 64 GiB of groups in slices of 16 MiB: 64 GiB / 16 MiB = 4,096. */
    public static final int COUNT_MAX = 4096;

    /** The whole shard. */
    public static final Slice WHOLE = new Slice(0, 1);

    private static final int KEY_MASK = COUNT_MAX - 1;

    /** A slice; the two numbers are checked. */
    public Slice {
        if (!isSlice(index, count)) {
            throw new IllegalArgumentException("There is no slice " + index + " of " + count + ".");
        }
    }

    private static boolean isSlice(int index, int count) {
        return count >= 1 && count <= COUNT_MAX && Integer.bitCount(count) == 1 && index >= 0 && index < count;
    }

    /** Whether this is the whole shard. */
    public boolean isWhole() {
        return count == 1;
    }

    /** Whether the slice can be divided in two. */
    public boolean isDivisible() {
        return count < COUNT_MAX;
    }

    /** The first half. */
    public Slice lower() {
        return new Slice(index, 2 * count);
    }

    /** The second half. */
    public Slice upper() {
        return new Slice(index + count, 2 * count);
    }

    /** The key by which a partition, or the shard number of a group before the modulo, belongs to a slice of its shard. */
    @HotPath
    public static int key(long number, int shards) {
        return (int) Math.floorDiv(number, (long) shards) & KEY_MASK;
    }

    /** Whether records with a {@link #key} belong to the slice. */
    @HotPath
    public boolean has(int key) {
        return (key & (count - 1)) == index;
    }

    /** Writes the slice into a header of {@link PartFrame}. */
    public void put(MutableDirectBuffer buffer, int offset) {
        PartFrame.slice(buffer, offset, index, count);
    }

    /** Whether a frame is one of this slice. */
    @HotPath
    public boolean isOf(DirectBuffer buffer, int offset) {
        return PartFrame.sliceIndex(buffer, offset) == index && PartFrame.sliceCount(buffer, offset) == count;
    }

    /** Whether a frame names a slice. */
    @HotPath
    public static boolean isNamed(DirectBuffer buffer, int offset) {
        return isSlice(PartFrame.sliceIndex(buffer, offset), PartFrame.sliceCount(buffer, offset));
    }

    /** The slice that a frame names. */
    public static Slice of(DirectBuffer buffer, int offset) {
        int count = PartFrame.sliceCount(buffer, offset);
        return count == 1 ? WHOLE : new Slice(PartFrame.sliceIndex(buffer, offset), count);
    }

    @Override
    public String toString() {
        return index + "/" + count;
    }
}
