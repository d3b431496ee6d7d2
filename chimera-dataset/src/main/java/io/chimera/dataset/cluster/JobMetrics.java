package io.chimera.dataset.cluster;

import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.JobCounter;
import io.chimera.common.metrics.Metrics;
import java.util.HashMap;
import java.util.Map;

/**
 * Counters of the jobs at a worker, as metrics with the name of the job as label. The number of labels is limited;
 * further jobs share one. The metrics of a removed job end. One thread.
 */
public final class JobMetrics {
    /** Maximum number of jobs with a label of their own. */
    static final int LABELS_MAX = 20;

    /** Label of the other jobs; no job has this name. */
    static final String OTHERS = "(other)";

    private static final String COMPONENT = "dataset";

    private final Metrics metrics;
    private final Map<String, Labelled> jobs = new HashMap<>();
    private final Counters<JobCounter> others = new Counters<>(JobCounter.class);
    private boolean hasOthers;

    /** Counters of a job; two runs of one name share them while the earlier one ends. */
    private static final class Labelled {
        private final Counters<JobCounter> counters = new Counters<>(JobCounter.class);
        private final Metrics.Registration registration;
        private int users;

        Labelled(Metrics metrics, String job) {
            registration = metrics.registerJob(COMPONENT, job, counters);
        }
    }

    /**
     * Creates counters of no job.
     *
     * @param metrics metrics of the node
     */
    public JobMetrics(Metrics metrics) {
        this.metrics = metrics;
    }

    /** Returns the counters of a job, until {@link #end}. */
    Counters<JobCounter> begin(String job) {
        if (!jobs.containsKey(job) && jobs.size() == LABELS_MAX) {
            if (!hasOthers) {
                metrics.registerJob(COMPONENT, OTHERS, others);
                hasOthers = true;
            }
            return others;
        }
        Labelled labelled = jobs.computeIfAbsent(job, name -> new Labelled(metrics, name));
        labelled.users++;
        return labelled.counters;
    }

    /**
     * Ends the use of counters.
     *
     * @param job the job
     * @param counters counters that {@link #begin} returned
     */
    void end(String job, Counters<JobCounter> counters) {
        Labelled labelled = jobs.get(job);
        if (labelled != null && labelled.counters == counters) {
            labelled.users--;
            if (labelled.users == 0) {
                labelled.registration.close();
                jobs.remove(job);
            }
        }
    }
}
