/** Connection of commands and nodes to the cluster in ZooKeeper. */
package io.chimera.node.cluster;
