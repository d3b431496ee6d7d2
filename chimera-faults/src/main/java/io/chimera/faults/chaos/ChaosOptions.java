package io.chimera.faults.chaos;

/**
 * What is asked of a run.
 *
 * @param minutes faults strike for so long
 * @param seed of faults and load
 * @param exactlyOnce whether delivery is exactly once; at least once if not
 */
record ChaosOptions(double minutes, long seed, boolean exactlyOnce) {}
