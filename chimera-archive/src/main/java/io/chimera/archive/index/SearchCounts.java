package io.chimera.archive.index;

/**
 * Counters of a search: intervals in the queried time span are skipped, gone or visited.
 *
 * @param groupsSkipped groups ruled out by level 2
 * @param intervalsSkippedByGroup intervals of these groups
 * @param intervalsSkipped intervals ruled out by level 1
 * @param intervalsGone intervals known to the index whose data was overwritten
 * @param intervalsUnindexed intervals visited because their part of the index is damaged, gone or not written
 * @param intervalsDamaged unreadable intervals without an index: their match is unknown
 * @param intervalsVisited intervals visited, including intervals without an index
 * @param indexReads records read from the index stream
 * @param indexBytes bytes of these records
 * @param damaged damaged records of the index
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
