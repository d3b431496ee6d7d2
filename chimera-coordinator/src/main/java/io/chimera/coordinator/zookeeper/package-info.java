/** The cluster's state in ZooKeeper: its znodes, the connection to them, and a server to run in this process. */
package io.chimera.coordinator.zookeeper;
