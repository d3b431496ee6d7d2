package io.chimera.bench.scale.quota;

/**
 * Join of a processor under full load.
 *
 * @param seconds time from its registration to the commit of the first cycle with its full share
 * @param cycles number of this cycle, counted from the newest cycle at the registration
 * @param rate rate per node afterwards, divided by the rate per node before
 * @param lost sent points without a row in the stores
 * @param doubled points counted more than once in the stores
 */
record Rebalance(double seconds, long cycles, double rate, long lost, long doubled) {}
