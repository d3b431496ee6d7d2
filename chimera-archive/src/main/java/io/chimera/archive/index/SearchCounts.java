package io.chimera.archive.index;

/**
 * What a search did, as of now: intervals in the span of time that was asked for are skipped, gone or visited.
 *
 * @param groupsSkipped groups that level 2 ruled out
 * @param intervalsSkippedByGroup their intervals
 * @param intervalsSkipped intervals that level 1 ruled out, one by one
 * @param intervalsGone intervals of which the index knows and whose data has been overwritten
 * @param intervalsUnindexed intervals visited because their part of the index is damaged, gone or not written
 * @param intervalsDamaged intervals without index whose data cannot be read: whether they match is not known
 * @param intervalsVisited intervals visited, those without index among them
 * @param indexReads records read of the index stream
 * @param indexBytes bytes of these records
 * @param damaged records of the index that were damaged
 */
public record SearchCounts(
        long groupsSkipped,
        long intervalsSkippedByGroup,
        long intervalsSkipped,
        long intervalsGone,
        long intervalsUnindexed,
        long intervalsDamaged,
        long intervalsVisited,
        long indexReads,
        long indexBytes,
        long damaged) {}
