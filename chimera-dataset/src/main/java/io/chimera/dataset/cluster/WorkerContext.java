package io.chimera.dataset.cluster;

import io.chimera.common.agent.Clock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.WorkerCounter;

/**
 * Resources of a worker.
 *
 * @param board record of the jobs
 * @param self this start of the worker
 * @param folder its results
 * @param programs makes the programs of jobs
 * @param transfer reads results of other workers
 * @param threads threads for work; at least as many as {@code self} announces
 * @param memoryMax maximum memory of a job in bytes: for the aggregates of a thread, and for the splits at the leader
 * @param clock time
 * @param counters counters of the worker
 * @param jobMetrics counters of single jobs
 */
public record WorkerContext(
        JobBoard board,
        WorkerSession self,
        WorkerFolder folder,
        JobPrograms programs,
        ResultTransfer transfer,
        TaskThreads threads,
        long memoryMax,
        Clock clock,
        Counters<WorkerCounter> counters,
        JobMetrics jobMetrics) {}
