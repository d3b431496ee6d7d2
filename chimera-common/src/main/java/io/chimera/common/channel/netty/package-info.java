/** Channels, HTTP, TCP and UDP over Netty's event loops; the only package that sees Netty. */
package io.chimera.common.channel.netty;
