package io.chimera.faults.sim.plane;

/**
 * Requests to ZooKeeper and their sizes.
 *
 * @param writes transactions and single writes
 * @param steps creations, changes and deletions in these writes
 * @param bytesWritten bytes of content in these writes
 * @param reads requests for content or names
 * @param bytesRead bytes of content and names in the replies
 * @param watchesSet watches set
 * @param watchesFired watch events sent to sessions
 */
public record PlaneCounts(
        long writes, long steps, long bytesWritten, long reads, long bytesRead, long watchesSet, long watchesFired) {
    PlaneCounts minus(PlaneCounts before) {
        return new PlaneCounts(
                writes - before.writes,
                steps - before.steps,
                bytesWritten - before.bytesWritten,
                reads - before.reads,
                bytesRead - before.bytesRead,
                watchesSet - before.watchesSet,
                watchesFired - before.watchesFired);
    }
}
