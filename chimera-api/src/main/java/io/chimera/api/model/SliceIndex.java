package io.chimera.api.model;

/**
 * Slice of a shard. A processor with too little memory for a shard writes the shard slice by slice. Another attempt may
 * divide the same shard into other slices.
 *
 * @param index from 0
 * @param count number of slices of the same size in the whole shard; a power of two
 */
public record SliceIndex(int index, int count) {
    /** Whole shard. */
    public static final SliceIndex WHOLE = new SliceIndex(0, 1);

    /**
     * Checks the two numbers.
     *
     * @param index from 0
     * @param count a power of two
     */
    public SliceIndex {
        if (index < 0 || index >= count || Integer.bitCount(count) != 1) {
            throw new IllegalArgumentException("Slice " + index + " of " + count + " does not exist.");
        }
    }

    @Override
    public String toString() {
        return index + "/" + count;
    }
}
