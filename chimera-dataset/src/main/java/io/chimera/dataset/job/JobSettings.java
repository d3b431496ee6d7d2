package io.chimera.dataset.job;

import io.chimera.dataset.compute.Windows;
import io.chimera.dataset.fetch.ReadAhead;

/**
 * Settings of a job in one process.
 *
 * @param definition digests of the job's definition
 * @param stores digest of the names and addresses of the stores: where earlier rows of the job are
 * @param windows windows of event time
 * @param splitLength wished length of a split in bytes
 * @param workers number of threads that compute, at least 1
 * @param bytesPerWorker memory for the aggregates of a worker in bytes; the rows do not depend on a change of the
 *     memory after the plan
 * @param depth ranges that a worker reads ahead
 */
public record JobSettings(
        DefinitionDigest definition,
        String stores,
        Windows windows,
        long splitLength,
        int workers,
        long bytesPerWorker,
        ReadAhead.Depth depth) {
    /** Memory that a worker needs at least: half of it takes a whole body of points. */
    public static final long BYTES_PER_WORKER_MIN = 64L << 20;

    /**
     * Checks the values.
     *
     * @param splitLength at least 1
     * @param workers at least 1
     * @param bytesPerWorker at least {@link #BYTES_PER_WORKER_MIN}
     */
    public JobSettings {
        if (splitLength < 1 || workers < 1 || bytesPerWorker < BYTES_PER_WORKER_MIN) {
            throw new IllegalArgumentException(
                    "splits of " + splitLength + " bytes, " + workers + " workers with " + bytesPerWorker
                            + " bytes; expected at least 1 byte, 1 worker and " + BYTES_PER_WORKER_MIN + " bytes");
        }
    }

    /** Creates the settings of a job that does not record how far its rows are stored, or has no stores of its own. */
    public JobSettings(
            DefinitionDigest definition,
            Windows windows,
            long splitLength,
            int workers,
            long bytesPerWorker,
            ReadAhead.Depth depth) {
        this(definition, "none", windows, splitLength, workers, bytesPerWorker, depth);
    }
}
