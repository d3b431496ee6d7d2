package io.chimera.coordinator.conductor;

import io.chimera.common.agent.Clock;
import io.chimera.common.agent.Wakeup;
import io.chimera.common.cluster.CycleStore;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.watch.ClusterEvent;
import java.util.function.Consumer;

/**
 * Surroundings of a conductor.
 *
 * @param store stores cycles and assignments
 * @param clock of this machine; source of cycle times while it is plausible
 * @param settings settings of the conductor
 * @param counters of this coordinator
 * @param events receives the events of the cluster
 * @param wakeup of the conductor's thread
 */
record ConductorEnvironment(
        CycleStore store,
        Clock clock,
        ConductorSettings settings,
        Counters<CoordinatorCounter> counters,
        Consumer<ClusterEvent> events,
        Wakeup wakeup) {}
