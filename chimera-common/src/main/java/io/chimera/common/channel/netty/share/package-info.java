/** Shares of the clients of a listener: connections, body memory, and the eviction of slow clients. */
package io.chimera.common.channel.netty.share;
