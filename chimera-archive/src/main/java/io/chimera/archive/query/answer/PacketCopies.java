package io.chimera.archive.query.answer;

import io.chimera.archive.query.packet.PacketInterval;
import io.chimera.archive.query.packet.PacketIntervalWriter;
import org.agrona.DirectBuffer;

/** Copies packets into intervals. */
public final class PacketCopies implements ItemCopies<FoundPackets> {
    private final PacketIntervalWriter writer;

    /**
     * Creates empty copies.
     *
     * @param intervalBytes maximum length of an interval; a longer packet gets an interval of its own
     */
    public PacketCopies(int intervalBytes) {
        writer = new PacketIntervalWriter(intervalBytes);
    }

    @Override
    public boolean add(FoundPackets found) {
        PacketInterval packet = found.packet();
        return writer.add(
                packet.linkType(),
                packet.timeNs(),
                packet.buffer(),
                packet.offset(),
                packet.captured(),
                packet.length(),
                0,
                0);
    }

    @Override
    public int items() {
        return writer.packets();
    }

    @Override
    public DirectBuffer buffer() {
        return writer.buffer();
    }

    @Override
    public int finish() {
        return writer.finish();
    }

    @Override
    public void clear() {
        writer.clear();
    }
}
