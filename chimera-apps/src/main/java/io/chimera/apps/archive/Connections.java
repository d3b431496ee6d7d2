package io.chimera.apps.archive;

import io.chimera.archive.query.PacketInterval;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Packets put together by connections, each direction for itself. Packets that are not IP, or damaged, are left out. One thread. */
public final class Connections {
    /** Held in memory: at about 200 bytes each, 40 MB. */
    public static final int MAX = 200_000;

    private final DecodedPacket decoded = new DecodedPacket();
    private final Map<Ends, Counted> all = new LinkedHashMap<>();

    /** As a packet has them. */
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

    /** None yet. */
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
     * @param timeNs when it came, ns since 1970
     * @param packet which is IP
     * @throws ChimeraException when it belongs to one connection too many
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
                        "The packets are of more than " + MAX
                                + " connections; ask for a shorter time (after, before).");
            }
            counted = new Counted(packet);
            all.put(ends, counted);
        }
        counted.firstNs = Math.min(counted.firstNs, timeNs);
        counted.lastNs = Math.max(counted.lastNs, timeNs);
        counted.packets++;
    }

    /** All of them, in the order in which their first packets were added. */
    public List<Connection> list() {
        return all.entrySet().stream()
                .map(entry -> connection(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static Connection connection(Ends ends, Counted counted) {
        return new Connection(
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
