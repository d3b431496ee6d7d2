package io.chimera.dataset.cluster;

import java.util.Map;

/** The part of a {@link JobBoard} with the lists of work. Any thread. */
interface TaskBoard {
    /**
     * Returns the work of all workers, also of ended sessions.
     *
     * @param id the job
     * @return work by session
     * @throws BoardException when the board cannot be read
     */
    Map<Long, TaskList> allTasks(JobId id) throws BoardException;

    /**
     * Replaces the work of a worker.
     *
     * @param id the job
     * @param session session of the worker
     * @param tasks the work; an empty list removes the record
     * @throws BoardException when the board cannot be written
     */
    void assign(JobId id, long session, TaskList tasks) throws BoardException;
}
