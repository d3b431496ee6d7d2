package io.chimera.faults.chaos.load;

import java.util.List;

/**
 * What the comparison of the store with the load says.
 *
 * @param acknowledged points answered with success
 * @param stored points that the rows of the store count
 * @param ambiguous points of requests that were refused or not answered
 * @param ambiguousStored those of them that are stored all the same, which is allowed
 * @param lost acknowledged points that are not stored
 * @param doubled points that are counted more often than they were sent
 * @param corrupted rows and batches that are none of both but wrong: of an unknown key, with a sum that does not belong to
 *     the points it counts, or a part of a batch
 * @param rows rows that were compared: keys times cycles
 * @param findings the first of what is wrong, in words
 */
public record Verdict(
        long acknowledged,
        long stored,
        long ambiguous,
        long ambiguousStored,
        long lost,
        long doubled,
        long corrupted,
        long rows,
        List<String> findings) {
    /** Whether nothing is wrong. */
    public boolean isGood() {
        return lost == 0 && doubled == 0 && corrupted == 0;
    }
}
