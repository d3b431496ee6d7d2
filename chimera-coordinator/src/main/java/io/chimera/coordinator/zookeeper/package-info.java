/** State of the cluster in ZooKeeper: its znodes, the session, and an embedded server. */
package io.chimera.coordinator.zookeeper;
