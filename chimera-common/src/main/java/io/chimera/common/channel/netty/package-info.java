/** Channels, HTTP, TCP and UDP on Netty's event loops; the only package with a dependency on Netty. */
package io.chimera.common.channel.netty;
