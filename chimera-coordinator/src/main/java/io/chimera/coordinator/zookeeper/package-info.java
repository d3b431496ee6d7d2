/** State of the cluster in ZooKeeper: its znodes, the session, members, election, and recovery of the tree. */
package io.chimera.coordinator.zookeeper;
