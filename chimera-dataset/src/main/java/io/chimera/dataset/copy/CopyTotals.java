package io.chimera.dataset.copy;

/**
 * Use of copies by a job so far.
 *
 * @param readBytes bytes that copies gave in place of the source
 * @param writtenBytes bytes written to copies
 * @param writingNs time with at least one write under way
 * @param notKeptBytes bytes that were to be copied and were not: no room, no version of the object, a block
 *     that cannot be read as a whole, or a failing disk
 * @param damagedBlocks blocks with wrong bytes, which were fetched again
 * @param trouble last reason why bytes were not kept; empty without one
 */
public record CopyTotals(
        long readBytes, long writtenBytes, long writingNs, long notKeptBytes, long damagedBlocks, String trouble) {
    /** No use. */
    public static final CopyTotals NONE = new CopyTotals(0, 0, 0, 0, 0, "");
}
