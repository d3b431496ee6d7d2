/** Coordinator node: its settings, its status for operators, and the wiring of the conductor and ZooKeeper. */
@NullMarked
package io.chimera.coordinator;

import org.jspecify.annotations.NullMarked;
