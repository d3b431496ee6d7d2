package io.chimera.faults.chaos;

import io.chimera.faults.chaos.cluster.NodeConfiguration;
import io.chimera.faults.chaos.fault.FaultKind;
import java.util.List;

/**
 * Options of a run.
 *
 * @param minutes duration of the faults
 * @param seed of faults and load
 * @param layout configuration and layout of the cluster
 * @param kinds of the faults
 */
record ChaosOptions(double minutes, long seed, NodeConfiguration layout, List<FaultKind> kinds) {}
