package io.chimera.archive.server;

import io.chimera.archive.query.answer.FoundPackets;
import io.chimera.archive.query.packet.PacketInterval;
import org.agrona.DirectBuffer;

/** Packets from another archive node. */
final class RemotePackets extends RemoteItems implements FoundPackets {
    private final PacketInterval packets = new PacketInterval();

    RemotePackets(Source source) {
        super(source, PeerParts.PACKETS);
    }

    @Override
    void wrap(DirectBuffer buffer, int length) {
        packets.wrap(buffer, 0, length);
    }

    @Override
    boolean nextOfInterval() {
        return packets.next();
    }

    @Override
    public PacketInterval packet() {
        return packets;
    }
}
