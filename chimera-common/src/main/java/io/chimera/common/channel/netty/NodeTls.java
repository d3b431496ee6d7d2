package io.chimera.common.channel.netty;

import io.chimera.common.security.Tls;

/**
 * TLS between the nodes of a cluster: the certificates of both ends must name a node of the cluster.
 *
 * @param tls certificates of this node
 * @param cluster name of the cluster
 */
public record NodeTls(Tls tls, String cluster) {}
