package io.chimera.dataset.cluster;

import io.chimera.dataset.plan.Strategy;
import java.util.List;

/**
 * Work of a worker, in the order in which the worker should do it. Work that stays on the list after the worker has
 * reported its end is to be done again: its result was lost.
 *
 * @param tasks the work; finished work leaves the list later
 * @param strategy strategy of splits that begin from now on; {@link Strategy#STREAM} for an empty list
 */
public record TaskList(List<TaskId> tasks, Strategy strategy) {
    /** No work. */
    public static final TaskList EMPTY = new TaskList(List.of());

    /** Copies the list. */
    public TaskList {
        tasks = List.copyOf(tasks);
        strategy = tasks.isEmpty() ? Strategy.STREAM : strategy;
    }

    /** Creates a list with the strategy stream. */
    public TaskList(List<TaskId> tasks) {
        this(tasks, Strategy.STREAM);
    }
}
