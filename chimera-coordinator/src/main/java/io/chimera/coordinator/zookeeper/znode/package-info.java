/** Content of the cluster's znodes: JSON, as described in docs/protocol.md. */
@NullMarked
package io.chimera.coordinator.zookeeper.znode;

import org.jspecify.annotations.NullMarked;
