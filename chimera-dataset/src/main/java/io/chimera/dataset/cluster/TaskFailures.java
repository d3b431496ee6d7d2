package io.chimera.dataset.cluster;

import io.chimera.dataset.cluster.WorkerReport.TaskFailure;
import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.job.JobException;
import io.chimera.dataset.source.SourceException;

/** Judges failures of work. */
final class TaskFailures {
    private TaskFailures() {}

    /**
     * Describes a failure. The reason of a bad split is the text of a local run, because it stands in the same report.
     *
     * @param task the work
     * @param node name of the worker's node
     * @param cause the failure
     */
    static TaskFailure of(TaskId task, String node, Throwable cause) {
        String text = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        if (cause instanceof BadSplitException bad) {
            return new TaskFailure(task, true, bad.fault(), text);
        }
        return new TaskFailure(task, isFinal(cause), "", task + " at " + node + ": " + text);
    }

    /** Returns whether the same work fails at every worker: the data or the job is the reason. */
    private static boolean isFinal(Throwable cause) {
        if (cause instanceof SourceException source) {
            return !source.fault().isRetryable();
        }
        return cause instanceof FormatException || cause instanceof JobException;
    }
}
