package io.chimera.queue.capture;

/**
 * What tells flows apart, beside addresses, ports and protocol.
 *
 * @param isByVlan whether VLANs do
 * @param isInside whether a packet in a tunnel belongs to the flow of the innermost packet, and not to that of the tunnel
 * @param seed of the hash; whoever does not know it cannot send flows on purpose whose hashes meet
 */
public record FlowKeys(boolean isByVlan, boolean isInside, long seed) {}
