/** Coordinator node: its settings, its status for operators, and the wiring of the conductor and ZooKeeper. */
package io.chimera.coordinator;
