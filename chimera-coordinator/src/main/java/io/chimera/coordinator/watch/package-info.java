/**
 * Observation of a cluster: failures, unreachable nodes, stragglers, standstills, lost history, and the events that
 * report them. Classes of this package decide nothing and write nothing.
 */
@NullMarked
package io.chimera.coordinator.watch;

import org.jspecify.annotations.NullMarked;
