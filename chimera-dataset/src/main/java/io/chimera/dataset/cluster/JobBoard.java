package io.chimera.dataset.cluster;

import io.chimera.dataset.job.JobException;
import io.chimera.dataset.job.JobPlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Record of the jobs of a cluster, seen by all workers and commands. Every call blocks until it is answered. A write
 * that throws may still have had its effect, so each write can be repeated: it creates a record unless there is one, or
 * replaces a record of the caller. Records of a session end with it. Any thread.
 *
 * <p>Nothing here protects rows: what a worker computes follows from the plan alone, and {@link #recordPlan} and {@link
 * #recordMergePlan} accept one value per job. Two leaders, or a worker that was taken for dead, only work in vain.
 */
public interface JobBoard extends TaskBoard {
    // Orders

    /**
     * Returns the submitted jobs, ordered by name.
     *
     * @throws BoardException when the board cannot be read
     */
    List<JobOrder> orders() throws BoardException;

    /**
     * Submits a job.
     *
     * @param order the job
     * @return the recorded order: this one, or the earlier one with the same name
     * @throws BoardException when the board cannot be written
     */
    JobOrder submit(JobOrder order) throws BoardException;

    /**
     * Replaces the order of a job, unless the order has changed since it was read.
     *
     * @param seen the order as it was read
     * @param next the new order of the same job and run
     * @return false when there is no such job, or its order is another one by now
     * @throws BoardException when the board cannot be written
     */
    boolean update(JobOrder seen, JobOrder next) throws BoardException;

    /**
     * Removes a job with all its records; also a job whose order cannot be read, under any run.
     *
     * @param id the job
     * @return false when there is no such job
     * @throws BoardException when the board cannot be written; some records may be removed
     */
    boolean remove(JobId id) throws BoardException;

    /**
     * Removes a job with all its records, unless its order has changed since it was read.
     *
     * @param seen the order as it was read
     * @return false when there is no such job, or its order is another one by now
     * @throws BoardException when the board cannot be written; some records may be removed
     */
    boolean removeUnchanged(JobOrder seen) throws BoardException;

    // Plans

    /**
     * Returns the recorded plan of a job.
     *
     * @param id the job
     * @return the plan; empty before the first {@link #recordPlan}
     * @throws BoardException when the board cannot be read
     * @throws JobException when the record can never be read: it is damaged, or of another build
     */
    Optional<JobPlan> plan(JobId id) throws BoardException, JobException;

    /**
     * Records the plan of a job, unless one is recorded.
     *
     * @param id the job
     * @param plan the plan
     * @throws BoardException when the board cannot be written
     * @throws JobException when the plan is too long for the board, now and later
     */
    void recordPlan(JobId id, JobPlan plan) throws BoardException, JobException;

    /**
     * Returns the recorded plan of the merges of a job.
     *
     * @param id the job
     * @return the plan; empty before the first {@link #recordMergePlan}
     * @throws BoardException when the board cannot be read
     * @throws JobException when the record can never be read: it is damaged, or of another build
     */
    Optional<MergePlan> mergePlan(JobId id) throws BoardException, JobException;

    /**
     * Records the plan of the merges, unless one is recorded.
     *
     * @param id the job
     * @param plan the plan
     * @throws BoardException when the board cannot be written
     */
    void recordMergePlan(JobId id, MergePlan plan) throws BoardException;

    // Workers

    /**
     * Announces a worker until the end of this board's session, in place of its earlier record.
     *
     * @param self the worker
     * @throws BoardException when the board cannot be written
     */
    void enlist(WorkerSession self) throws BoardException;

    /**
     * Returns the live workers, ordered by session.
     *
     * @throws BoardException when the board cannot be read
     */
    List<WorkerSession> workers() throws BoardException;

    /**
     * Tries to become the leader of a job until the end of this board's session.
     *
     * @param id the job
     * @param session session of the caller
     * @return whether the caller is the leader
     * @throws BoardException when the board cannot be read or written
     */
    boolean lead(JobId id, long session) throws BoardException;

    /**
     * Ends the lead of a session before the end of the session; no effect for a session that does not lead.
     *
     * @param id the job
     * @param session session of the caller
     * @throws BoardException when the board cannot be read or written
     */
    void resign(JobId id, long session) throws BoardException;

    // Work

    /**
     * Returns the work of one worker.
     *
     * @param id the job
     * @param session session of the worker
     * @throws BoardException when the board cannot be read
     */
    TaskList tasks(JobId id, long session) throws BoardException;

    /**
     * Adds a report. A report that is there already, by its identity, stays.
     *
     * @param id the job
     * @param report the report
     * @throws BoardException when the board cannot be written
     */
    void report(JobId id, WorkerReport report) throws BoardException;

    /**
     * Returns reports that the caller does not know.
     *
     * @param id the job
     * @param known number of known reports by session
     * @return further reports; those of a session in the order of their numbers, without gaps
     * @throws BoardException when the board cannot be read
     */
    List<WorkerReport> reports(JobId id, Map<Long, Long> known) throws BoardException;

    // End

    /**
     * Returns the newest end of a job.
     *
     * @param id the job
     * @return empty before the first end; an end of an earlier attempt than that of the order has no meaning any more
     * @throws BoardException when the board cannot be read
     */
    Optional<JobOutcome> outcome(JobId id) throws BoardException;

    /**
     * Records the end of a job, unless the end of this attempt, or of a later one, is recorded. Workers take no more
     * work of the job.
     *
     * @param id the job
     * @param outcome the end
     * @throws BoardException when the board cannot be written
     */
    void end(JobId id, JobOutcome outcome) throws BoardException;
}
