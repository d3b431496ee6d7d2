package io.chimera.common.config;

import io.chimera.common.channel.Endpoint;

/**
 * An address that a node listens on, and the key that says so.
 *
 * @param path key in the configuration
 * @param address where
 * @param datagrams true for UDP, false for TCP
 */
public record Listening(String path, Endpoint address, boolean datagrams) {
    /** Whether a host stands for all addresses of the machine. */
    static boolean isWildcard(String host) {
        return host.equals("0.0.0.0") || host.equals("::");
    }

    /** Whether both cannot listen at one time. */
    boolean clashesWith(Listening other) {
        boolean samePort =
                address.port() != 0 && address.port() == other.address.port() && datagrams == other.datagrams;
        return samePort
                && (address.host().equals(other.address.host())
                        || isWildcard(address.host())
                        || isWildcard(other.address.host()));
    }
}
