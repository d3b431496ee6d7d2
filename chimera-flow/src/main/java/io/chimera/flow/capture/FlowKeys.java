package io.chimera.flow.capture;

/**
 * Parts of the flow key besides addresses, ports and protocol.
 *
 * @param isByVlan whether VLANs belong to the key
 * @param isInside whether a tunnelled packet belongs to the flow of the innermost packet instead of the tunnel's flow
 * @param seed secret seed of the hash; without the seed an attacker cannot construct flows with colliding hashes
 */
public record FlowKeys(boolean isByVlan, boolean isInside, long seed) {}
