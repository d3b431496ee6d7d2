package io.chimera.dataset.cluster;

import java.util.List;

/**
 * Work of a worker, in the order in which the worker should do it. Work that stays on the list after the worker has
 * reported its end is to be done again: its result was lost.
 *
 * @param tasks the work; finished work leaves the list later
 */
public record TaskList(List<TaskId> tasks) {
    /** No work. */
    public static final TaskList EMPTY = new TaskList(List.of());

    /** Copies the list. */
    public TaskList {
        tasks = List.copyOf(tasks);
    }
}
