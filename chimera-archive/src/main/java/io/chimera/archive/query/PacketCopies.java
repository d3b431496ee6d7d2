package io.chimera.archive.query;

import org.agrona.DirectBuffer;

/** Copies packets of an answer into intervals, to be sent to another node. One thread; memory of its own. */
public final class PacketCopies {
    private final PacketIntervalWriter writer;

    /**
     * None yet.
     *
     * @param intervalBytes that an interval is to have at most; a packet that is longer has one for itself
     */
    public PacketCopies(int intervalBytes) {
        writer = new PacketIntervalWriter(intervalBytes);
    }

    /** Copies a packet. False: it belongs into the next interval. */
    public boolean add(PacketInterval packet) {
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

    /** Packets in the interval. */
    public int packets() {
        return writer.packets();
    }

    /** Where the interval lies, from 0 on. */
    public DirectBuffer buffer() {
        return writer.buffer();
    }

    /** Ends the interval. Returns its bytes. */
    public int finish() {
        return writer.finish();
    }

    /** Begins the next. */
    public void clear() {
        writer.clear();
    }
}
