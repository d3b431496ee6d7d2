package io.chimera.common.composition;

/**
 * Use of a thread pool of a composition.
 *
 * @param block queued block at the begin of the pool
 * @param threads number of threads
 * @param used threads with points
 * @param waiting points that no thread has finished, or that wait for an older point
 */
public record PoolUse(String block, int threads, int used, long waiting) {}
