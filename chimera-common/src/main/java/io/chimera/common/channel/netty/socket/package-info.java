/** Parts of every connection: addresses, TLS handshakes, idle time and the last answer. */
package io.chimera.common.channel.netty.socket;
