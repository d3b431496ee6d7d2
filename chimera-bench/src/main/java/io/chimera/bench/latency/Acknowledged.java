package io.chimera.bench.latency;

import org.HdrHistogram.AbstractHistogram;

/**
 * How long senders waited under a load.
 *
 * @param sync when a point counts as safe
 * @param load percent of the maximum rate
 * @param pointsPerSecond that were sent
 * @param waits nanoseconds from when a request was due to its answer, one entry per request
 */
record Acknowledged(Sync sync, int load, double pointsPerSecond, AbstractHistogram waits) {}
