package io.chimera.faults.chaos;

import io.chimera.faults.chaos.cluster.RowStore;
import io.chimera.faults.chaos.fault.FaultKind;
import java.util.List;

/**
 * Options of a run.
 *
 * @param minutes duration of the faults
 * @param seed of faults and load
 * @param exactlyOnce whether delivery is exactly once; at least once otherwise
 * @param store store of the rows
 * @param hasEnsemble whether ZooKeeper has three separate servers; otherwise the first coordinator embeds the only
 *     server
 * @param kinds of the faults
 */
record ChaosOptions(
        double minutes, long seed, boolean exactlyOnce, RowStore store, boolean hasEnsemble, List<FaultKind> kinds) {}
