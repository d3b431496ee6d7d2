/** Framed connections between nodes: frames, byte credits, and the watch of a silent peer. */
package io.chimera.common.channel.netty.node;
