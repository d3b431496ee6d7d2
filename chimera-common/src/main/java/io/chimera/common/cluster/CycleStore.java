package io.chimera.common.cluster;

import java.util.Optional;

/**
 * Writes the control state on behalf of the conductor, the leader among the coordinators. Every write checks the epoch,
 * so a former leader without knowledge of its lost leadership changes nothing.
 */
public interface CycleStore extends AutoCloseable {
    /** Newest view. Any thread. */
    ClusterView view();

    /**
     * Epoch of this coordinator's leadership.
     *
     * @return a number that increases with every election, or 0 while another coordinator leads
     */
    long epoch();

    /**
     * Begins a cycle: writes its record and its first assignment in one step. The number of a live cycle follows the
     * newest live cycle; the number of a replay cycle follows the replay mark, so at most one replay cycle is open.
     *
     * @return true if the cycle was written; false if this coordinator no longer leads, the cycle exists, or the store
     *     is unreachable: check a later view
     */
    boolean begin(Cycle cycle, Assignment assignment);

    /**
     * Replaces the assignment of an open cycle.
     *
     * @param cycle the cycle
     * @param next the assignment, with the version of the replaced assignment plus one
     * @return true if the assignment was written
     */
    boolean assign(long cycle, Assignment next);

    /**
     * Records a cycle as verified: all its shards are committed and, if the mode demands verification, read back.
     * Cycles may be verified out of order; {@link #advance} deletes the record together with the cycle.
     *
     * @param cycle an open cycle
     * @param accounts accounts of this cycle only
     * @return true if the record exists, from this call or an earlier call; false if the store lacks a commit of the
     *     cycle, which an older view may still show
     */
    boolean verify(long cycle, LowMark.Totals accounts);

    /**
     * Revokes all commits and the verification of a cycle above the low-water mark, so the cycle is processed again
     * under a new assignment version.
     *
     * @param cycle an open cycle
     * @param next the assignment, with the version of the replaced assignment plus one
     * @return true if the assignment was written
     */
    boolean reopen(long cycle, Assignment next);

    /**
     * Raises the low-water mark and deletes the cycles up to the mark, in one step.
     *
     * @return true if the mark was written
     */
    boolean advance(LowMark mark);

    /**
     * Raises the replay mark, deletes the replay cycle up to the mark, and records the progress of a request, in one
     * step.
     *
     * @param mark the new mark, or the current mark if no cycle was begun
     * @param request the updated request; empty if the request was withdrawn
     * @return true if the mark was written
     */
    boolean advanceReplay(ReplayMark mark, Optional<ReplayRequest> request);

    /**
     * Deletes a replay request.
     *
     * @return true if the request no longer exists
     */
    boolean forgetReplay(String request);

    /** Resigns the leadership. */
    @Override
    void close();
}
