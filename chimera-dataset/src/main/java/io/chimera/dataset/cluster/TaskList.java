package io.chimera.dataset.cluster;

import java.util.List;

/**
 * Work of a worker, in the order in which the worker should do it.
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
