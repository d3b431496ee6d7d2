package io.chimera.common.wire;

import io.chimera.api.HotPath;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Slice of a shard: the records of one shard in a cluster with {@code count} times the number of shards. A processor
 * with too little memory for a shard requests the shard slice by slice.
 *
 * @param index 0 to count - 1
 * @param count number of slices of the shard, a power of two
 */
public record Slice(int index, int count) {
    /**
     * Maximum number of slices of a shard: a shard with 64 GiB of groups in slices of 16 MiB (64 GiB / 16 MiB = 4,096).
     */
    public static final int COUNT_MAX = 4096;

    /** Whole shard. */
    public static final Slice WHOLE = new Slice(0, 1);

    private static final int KEY_MASK = COUNT_MAX - 1;

    /** Creates a slice and checks the two numbers. */
    public Slice {
        if (!isSlice(index, count)) {
            throw new IllegalArgumentException("Invalid slice " + index + " of " + count + ".");
        }
    }

    private static boolean isSlice(int index, int count) {
        return count >= 1 && count <= COUNT_MAX && Integer.bitCount(count) == 1 && index >= 0 && index < count;
    }

    /** Returns whether this slice is the whole shard. */
    public boolean isWhole() {
        return count == 1;
    }

    /** Returns whether the slice can be halved. */
    public boolean isDivisible() {
        return count < COUNT_MAX;
    }

    /** First half of the slice. */
    public Slice lower() {
        return new Slice(index, 2 * count);
    }

    /** Second half of the slice. */
    public Slice upper() {
        return new Slice(index + count, 2 * count);
    }

    /** Returns the slice key of a partition, or of a group's shard hash before the modulo. */
    @HotPath
    public static int key(long number, int shards) {
        return (int) Math.floorDiv(number, (long) shards) & KEY_MASK;
    }

    /** Returns whether records with a {@link #key} belong to the slice. */
    @HotPath
    public boolean has(int key) {
        return (key & (count - 1)) == index;
    }

    /** Writes the slice into a header of {@link PartFrame}. */
    public void put(MutableDirectBuffer buffer, int offset) {
        PartFrame.slice(buffer, offset, index, count);
    }

    /** Returns whether a frame belongs to this slice. */
    @HotPath
    public boolean isOf(DirectBuffer buffer, int offset) {
        return PartFrame.sliceIndex(buffer, offset) == index && PartFrame.sliceCount(buffer, offset) == count;
    }

    /** Returns whether a frame has a valid slice. */
    @HotPath
    public static boolean isNamed(DirectBuffer buffer, int offset) {
        return isSlice(PartFrame.sliceIndex(buffer, offset), PartFrame.sliceCount(buffer, offset));
    }

    /** Reads the slice of a frame. */
    public static Slice of(DirectBuffer buffer, int offset) {
        int count = PartFrame.sliceCount(buffer, offset);
        return count == 1 ? WHOLE : new Slice(PartFrame.sliceIndex(buffer, offset), count);
    }

    @Override
    public String toString() {
        return index + "/" + count;
    }
}
