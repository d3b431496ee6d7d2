package io.chimera.archive.server.client;

import io.chimera.archive.query.answer.FoundPackets;
import io.chimera.archive.query.packet.PacketInterval;
import io.chimera.archive.server.answer.PeerParts;
import org.agrona.DirectBuffer;

/** Packets from another archive node. */
public final class RemotePackets extends RemoteItems implements FoundPackets {
    private final PacketInterval packets = new PacketInterval();

    public RemotePackets(Source source) {
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
