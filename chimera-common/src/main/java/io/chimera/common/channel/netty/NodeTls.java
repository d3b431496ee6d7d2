package io.chimera.common.channel.netty;

import io.chimera.common.security.Tls;

/**
 * TLS between the nodes of a cluster: both ends show a certificate that names a node of the cluster.
 *
 * @param tls certificates of this node
 * @param cluster name of the cluster
 */
public record NodeTls(Tls tls, String cluster) {}
