package io.chimera.dataset.sample;

/**
 * Result of a read of one range on each of several connections.
 *
 * @param ranges number of ranges received as a whole
 * @param bytes length of these ranges together
 * @param wallNs time from the first request until all ranges were received, or given up
 * @param processorNs processor time of the receiving threads; 0 when not known
 */
record ReadRound(int ranges, long bytes, long wallNs, long processorNs) {}
