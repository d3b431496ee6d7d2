/** Commands for certificates: an authority, node certificates, and the revocation list. */
package io.chimera.node.tls;
