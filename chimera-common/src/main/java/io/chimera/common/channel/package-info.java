/** Connections between nodes and to clients: framed connections with byte credits; HTTP, TCP and UDP listeners. */
package io.chimera.common.channel;
