package io.chimera.faults.chaos.load;

import java.util.List;

/**
 * Result of the comparison of the store with the load.
 *
 * @param acknowledged points answered with success
 * @param stored points counted by the rows of the store
 * @param ambiguous points of requests that were refused or not answered
 * @param ambiguousStored stored points among the ambiguous points, which is permitted
 * @param lost acknowledged points missing from the store
 * @param doubled points counted more often than sent
 * @param corrupted rows and batches with other errors: an unknown key, a sum different from the sum of the counted
 *     points, or a part of a batch
 * @param rows compared rows: keys times cycles
 * @param findings descriptions of the first errors
 */
public record RowVerdict(
        long acknowledged,
        long stored,
        long ambiguous,
        long ambiguousStored,
        long lost,
        long doubled,
        long corrupted,
        long rows,
        List<String> findings) {
    /** Returns whether there are no errors. */
    public boolean isGood() {
        return lost == 0 && doubled == 0 && corrupted == 0;
    }
}
