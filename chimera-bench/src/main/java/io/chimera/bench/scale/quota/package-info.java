/**
 * Clusters whose nodes have a limited share of a core each, so that a machine with few cores can compare clusters of
 * different sizes: rate, cost, a node that joins and a slow node.
 */
package io.chimera.bench.scale.quota;
