/** Embedded ZooKeeper server of a coordinator: start, access control of connections, and the watch over its disk. */
package io.chimera.coordinator.zookeeper.server;
