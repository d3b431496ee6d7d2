/** The commands that make certificates: an authority, certificates of nodes, and the list of those that are revoked. */
package io.chimera.apps.node.tls;
