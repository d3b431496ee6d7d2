package io.chimera.faults.chaos;

import io.chimera.faults.chaos.cluster.RowStore;
import io.chimera.faults.chaos.fault.FaultKind;
import java.util.List;

/**
 * What is asked of a run.
 *
 * @param minutes faults strike for so long
 * @param seed of faults and load
 * @param exactlyOnce whether delivery is exactly once; at least once if not
 * @param store what keeps the rows
 * @param hasEnsemble whether ZooKeeper has three servers of its own; the first coordinator embeds the only one if not
 * @param kinds of faults that strike
 */
record ChaosOptions(
        double minutes, long seed, boolean exactlyOnce, RowStore store, boolean hasEnsemble, List<FaultKind> kinds) {}
