package io.chimera.common.config;

import io.chimera.common.channel.Endpoint;
import java.net.URI;
import java.util.Locale;
import java.util.Set;

/**
 * Listen address of a node with its configuration key.
 *
 * @param path key in the configuration
 * @param address listen address
 * @param datagrams true for UDP, false for TCP
 * @param lane number of the lane that listens; 0 also for a listener of the whole node
 */
public record Listening(String path, Endpoint address, boolean datagrams, int lane) {
    /** Names of the loopback address in a URL. */
    public static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]", "[0:0:0:0:0:0:0:1]");

    /** Describes a listener of a node or of its lane 0. */
    public Listening(String path, Endpoint address, boolean datagrams) {
        this(path, address, datagrams, 0);
    }

    /** Returns the key, with the lane above 0 whose address follows from the key. */
    public String text() {
        return lane == 0 ? path : path + " (of lane " + lane + ")";
    }

    /** Returns whether a host means all addresses of the machine. */
    static boolean isWildcard(String host) {
        return host.equals("0.0.0.0") || host.equals("::");
    }

    /** Returns whether the two addresses cannot be bound at the same time. */
    public boolean clashesWith(Listening other) {
        boolean samePort =
                address.port() != 0 && address.port() == other.address.port() && datagrams == other.datagrams;
        return samePort
                && (address.host().equals(other.address.host())
                        || isWildcard(address.host())
                        || isWildcard(other.address.host()));
    }

    /**
     * Returns whether a URL refers to this listener, judged by its text without a name lookup.
     *
     * @param nodeHost name of this node for other nodes
     */
    public boolean isTargetOf(String url, String nodeHost) {
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
