package io.chimera.apps.archive;

/**
 * What was seen of one direction of a connection: packets of IP that have both ends and the protocol in common.
 *
 * @param source address
 * @param sourcePort 0 where there is none
 * @param destination address
 * @param destinationPort 0 where there is none
 * @param protocol of IP
 * @param firstNs when its first packet came, ns since 1970
 * @param lastNs when its last packet came, ns since 1970
 * @param packets how many
 */
public record Connection(
        String source,
        int sourcePort,
        String destination,
        int destinationPort,
        int protocol,
        long firstNs,
        long lastNs,
        long packets) {
    /** What tells one from another. */
    public Ends ends() {
        return new Ends(source, sourcePort, destination, destinationPort, protocol);
    }

    /** Both ends, and the protocol. */
    public record Ends(String source, int sourcePort, String destination, int destinationPort, int protocol) {}

    /** The same as seen in two places. */
    public Connection plus(Connection other) {
        return new Connection(
                source,
                sourcePort,
                destination,
                destinationPort,
                protocol,
                Math.min(firstNs, other.firstNs),
                Math.max(lastNs, other.lastNs),
                packets + other.packets);
    }
}
