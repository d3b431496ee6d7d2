package io.chimera.bench.latency;

import org.HdrHistogram.AbstractHistogram;

/**
 * Waits of senders under a load.
 *
 * @param sync sync policy of the journal
 * @param load percent of the maximum rate
 * @param pointsPerSecond sent points per second
 * @param waits nanoseconds from the due time of a request to its answer, one entry per request
 */
record Acknowledged(Sync sync, int load, double pointsPerSecond, AbstractHistogram waits) {}
