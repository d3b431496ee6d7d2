package io.chimera.dataset.job;

/** Counts the pieces of a merge, which stay in memory until their windows are stored. One thread. */
final class PieceLimit {
    /** Memory of a piece and its place: three objects with their references. */
    static final int BYTES_PER_PIECE = 80;

    private final long bytesMax;
    private long pieces;

    /**
     * Creates a limit.
     *
     * @param bytesMax memory for the pieces in bytes
     */
    PieceLimit(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /**
     * Counts pieces.
     *
     * @param more number of further pieces
     * @throws JobException when the pieces exceed the memory
     */
    void add(int more) throws JobException {
        pieces += more;
        if (pieces > bytesMax / BYTES_PER_PIECE) {
            throw new JobException(
                    "the results have more than " + bytesMax / BYTES_PER_PIECE + " pieces, one per split, window and"
                            + " pipeline, which is all that a memory of " + (bytesMax >> 20)
                            + "MiB holds; use a longer window, more memory, or several jobs over fewer objects",
                    null);
        }
    }
}
