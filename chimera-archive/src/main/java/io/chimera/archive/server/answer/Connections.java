package io.chimera.archive.server.answer;

import io.chimera.archive.query.packet.PacketInterval;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Groups packets by connection and direction. Ignores damaged packets and packets without IP. One thread. */
public final class Connections {
    /** Maximum number of connections in memory: about 200 bytes each, 40 MB in total. */
    public static final int MAX = 200_000;

    private final DecodedPacket decoded = new DecodedPacket();
    private final Map<Ends, Counted> all = new LinkedHashMap<>();

    /** Ends of a connection in binary form, as decoded from a packet. */
    private record Ends(
            long sourceHigh, long sourceLow, long destinationHigh, long destinationLow, int ports, int protocol) {}

    private static final class Counted {
        private final String source;
        private final String destination;
        private long firstNs = Long.MAX_VALUE;
        private long lastNs = Long.MIN_VALUE;
        private long packets;

        private Counted(DecodedPacket decoded) {
            source = decoded.source();
            destination = decoded.destination();
        }
    }

    /** Creates an empty collection. */
    public Connections() {}

    /** Adds a packet of an answer. */
    public void add(PacketInterval packet) {
        if (decoded.decode(packet)) {
            add(packet.timeNs(), decoded);
        }
    }

    /**
     * Adds a packet.
     *
     * @param timeNs capture time, ns since 1970
     * @param packet a decoded IP packet
     * @throws ChimeraException when the packet would exceed the maximum number of connections
     */
    public void add(long timeNs, DecodedPacket packet) {
        Ends ends = new Ends(
                packet.addressPart(0),
                packet.addressPart(1),
                packet.addressPart(2),
                packet.addressPart(3),
                packet.tuple().sourcePort() << Short.SIZE | packet.tuple().destinationPort(),
                packet.tuple().protocol());
        Counted counted = all.get(ends);
        if (counted == null) {
            if (all.size() == MAX) {
                throw new ChimeraException(
                        Category.WARN,
                        "The answer has more than " + MAX
                                + " connections. Query a shorter time range (after, before).");
            }
            counted = new Counted(packet);
            all.put(ends, counted);
        }
        counted.firstNs = Math.min(counted.firstNs, timeNs);
        counted.lastNs = Math.max(counted.lastNs, timeNs);
        counted.packets++;
    }

    /** Returns all connections in the order of their first packets. */
    public List<ConnectionDirection> list() {
        return all.entrySet().stream()
                .map(entry -> connection(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static ConnectionDirection connection(Ends ends, Counted counted) {
        return new ConnectionDirection(
                counted.source,
                ends.ports >>> Short.SIZE,
                counted.destination,
                ends.ports & 0xFFFF,
                ends.protocol,
                counted.firstNs,
                counted.lastNs,
                counted.packets);
    }
}
