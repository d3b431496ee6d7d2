/** Content of the cluster's znodes: JSON, as described in docs/protocol.md. */
package io.chimera.coordinator.zookeeper.znode;
