package io.chimera.dataset.format.parquet;

/**
 * Limit of the memory that one reader holds in buffers: a header that declares a large page fails before the buffer is
 * allocated. Buffers grow and are used again. One thread.
 */
final class MemoryBudget {
    private static final int GRAIN = 4096;

    private final long limit;
    private long taken;

    /**
     * Creates a budget.
     *
     * @param limit bytes of all buffers together
     */
    MemoryBudget(long limit) {
        this.limit = limit;
    }

    /**
     * Returns a buffer with room; the content is not kept.
     *
     * @param held the buffer so far, which is given up when it is too small
     * @param needed bytes of room
     * @throws ParquetDefect when the limit would be exceeded
     */
    byte[] bytes(byte[] held, long needed) {
        if (held.length >= needed) {
            return held;
        }
        return new byte[(int) elements(held.length, needed, Byte.BYTES)];
    }

    /** Like {@link #bytes}, for {@code int} values. */
    int[] ints(int[] held, long needed) {
        if (held.length >= needed) {
            return held;
        }
        return new int[(int) elements(held.length, needed, Integer.BYTES)];
    }

    /** Like {@link #bytes}, for {@code long} values. */
    long[] longs(long[] held, long needed) {
        if (held.length >= needed) {
            return held;
        }
        return new long[(int) elements(held.length, needed, Long.BYTES)];
    }

    private long elements(int held, long needed, int size) {
        if (needed > limit / size) {
            throw exceeded(needed);
        }
        long elements = Math.min((needed + GRAIN - 1) / GRAIN * GRAIN, limit / size);
        long after = taken + (elements - held) * size;
        if (after > limit) {
            throw exceeded(needed);
        }
        taken = after;
        return elements;
    }

    private ParquetDefect exceeded(long needed) {
        return new ParquetDefect(
                "a page of about " + needed + " bytes exceeds the " + (limit >> 20) + " MiB of buffers of a reader",
                "write the object with pages of about 1 MiB, or map fewer columns; if the pages are small, the object is"
                        + " damaged");
    }
}
