package io.chimera.common.cluster;

import java.util.Optional;

/**
 * The coordinator's own side of the contract: what the conductor, the leader among the coordinators, may do. Every write
 * checks the epoch, so one that lost the lead without noticing changes nothing.
 */
public interface Conductorship extends AutoCloseable {
    /** The newest view. Any thread. */
    ClusterView view();

    /**
     * Epoch of this coordinator's lead.
     *
     * @return a number that grows with every election, or 0 when another coordinator leads
     */
    long epoch();

    /**
     * Begins a cycle: writes its record and its first assignment in one step. The number of a live cycle follows that of
     * the newest one, the number of a replay cycle follows the replay mark, so that no second one can be open.
     *
     * @return true when it stands; false when this coordinator does not lead any more, the cycle exists, or the store
     *     cannot be reached: look at a later view
     */
    boolean begin(Cycle cycle, Assignment assignment);

    /**
     * Replaces the assignment of an open cycle.
     *
     * @param cycle the cycle
     * @param next the assignment with version one above the one it replaces
     * @return true when it stands
     */
    boolean assign(long cycle, Assignment next);

    /**
     * Notes that a cycle is verified: all its shards are committed, and where the mode wants it read back. It may come
     * before the cycles below it are; {@link #advance} forgets the note with its cycle.
     *
     * @param cycle an open cycle
     * @param accounts of this cycle alone
     * @return true when it stands, be it from this call or an earlier one
     */
    boolean verify(long cycle, LowMark.Totals accounts);

    /**
     * Takes back all commits of a cycle above the low-water mark, and what was noted about it, so that it is processed
     * again under a new version of its assignment.
     *
     * @param cycle an open cycle
     * @param next the assignment with version one above the one it replaces
     * @return true when it stands
     */
    boolean reopen(long cycle, Assignment next);

    /**
     * Raises the low-water mark and forgets the cycles up to it, in one step.
     *
     * @return true when it stands
     */
    boolean advance(LowMark mark);

    /**
     * Raises the replay mark, forgets the replay cycle up to it, and notes how far a request has come, in one step.
     *
     * @param mark the mark, or the one that stands where no cycle was begun
     * @param request as it is now; empty when it was withdrawn
     * @return true when it stands
     */
    boolean advanceReplay(ReplayMark mark, Optional<ReplayRequest> request);

    /**
     * Forgets a request.
     *
     * @return true when it is gone
     */
    boolean forgetReplay(String request);

    /** Gives up the lead. */
    @Override
    void close();
}
