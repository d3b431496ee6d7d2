package io.chimera.common.config;

import io.chimera.common.channel.Endpoint;
import java.net.URI;
import java.util.Locale;
import java.util.Set;

/**
 * An address that a node listens on, and the key that says so.
 *
 * @param path key in the configuration
 * @param address where
 * @param datagrams true for UDP, false for TCP
 */
public record Listening(String path, Endpoint address, boolean datagrams) {
    /** Names of the loopback address in a URL. */
    static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]", "[0:0:0:0:0:0:0:1]");

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

    /**
     * Whether a URL leads here, as far as its text tells: names are not looked up.
     *
     * @param nodeHost name by which others reach this node
     */
    boolean isTargetOf(String url, String nodeHost) {
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            return false;
        }
        if (datagrams || uri.getHost() == null || uri.getPort() != address.port()) {
            return false;
        }
        String host = uri.getHost().toLowerCase(Locale.ROOT);
        boolean isHere = LOOPBACK.contains(host) || host.equals(nodeHost);
        return isWildcard(address.host())
                ? isHere
                : host.equals(address.host()) || (address.isLoopback() && LOOPBACK.contains(host));
    }
}
