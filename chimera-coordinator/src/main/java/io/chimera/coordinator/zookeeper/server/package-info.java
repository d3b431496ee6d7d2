/** Embedded ZooKeeper server of a coordinator: start, access control of connections, and the watch over its disk. */
@NullMarked
package io.chimera.coordinator.zookeeper.server;

import org.jspecify.annotations.NullMarked;
