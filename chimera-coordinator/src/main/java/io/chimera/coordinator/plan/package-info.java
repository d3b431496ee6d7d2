/**
 * Plans for the work of a cluster: cuts and assignments of cycles, reassignment, changeover of configurations, removal
 * of nodes, and recovery of a lost tree. Plans follow from a view; other packages carry them out.
 */
@NullMarked
package io.chimera.coordinator.plan;

import org.jspecify.annotations.NullMarked;
