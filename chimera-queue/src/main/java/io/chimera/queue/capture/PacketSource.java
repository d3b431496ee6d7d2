package io.chimera.queue.capture;

import io.chimera.api.HotPath;
import io.chimera.common.packet.PacketDecoder;
import io.chimera.common.packet.PacketTuple;
import io.chimera.jni.capture.PacketBatch;
import io.chimera.jni.capture.PacketCapture;

/**
 * SNIFFER and SOURCE of Fais et al. 2021, section 5.1: receives packets, creates a tuple of each, and gives the packets back at once.
 * One thread.
 */
public final class PacketSource {
    private final PacketCapture capture;
    private final PacketDecoder decoder;
    private final PacketBatch packets = new PacketBatch(PacketBatch.DEFAULT_CAPACITY);

    /**
     * A source of tuples.
     *
     * @param capture where packets come from; not closed by this
     * @param isInside whether the key of a packet in a tunnel is that of the innermost packet
     * @throws IllegalArgumentException when the frames of the capture begin with what is not known
     */
    public PacketSource(PacketCapture capture, boolean isInside) {
        this.capture = capture;
        decoder = new PacketDecoder(capture.linkType(), isInside);
    }

    /** Number of tuples that {@link #receive} writes, at most. */
    public static int packetsMax() {
        return PacketBatch.DEFAULT_CAPACITY;
    }

    /**
     * Receives packets.
     *
     * @param tuples address of room for {@link #packetsMax} tuples
     * @param timeoutMs how long to wait for the first packet
     * @return number of tuples; 0 when no packet came in time; {@link PacketCapture#END} when a file has no more
     */
    @HotPath
    public int receive(long tuples, int timeoutMs) {
        int count = capture.receive(packets, timeoutMs);
        long tuple = tuples;
        for (int i = 0; i < count; i++) {
            decoder.decode(
                    packets.address(i),
                    packets.captured(i),
                    packets.length(i),
                    packets.timestampNs(i),
                    packets.vlanTci(i),
                    packets.vlanTpid(i),
                    tuple);
            tuple += PacketTuple.LENGTH;
        }
        capture.release();
        return count;
    }
}
