package io.chimera.flow.capture;

import io.chimera.api.HotPath;
import io.chimera.flow.packet.PacketDecoder;
import io.chimera.flow.packet.PacketTuple;
import io.chimera.jni.capture.PacketBatch;
import io.chimera.jni.capture.PacketCapture;

/**
 * Receives packets, creates a tuple for each packet, and releases the packets immediately (SNIFFER and SOURCE of Fais
 * et al. 2021, section 5.1). Used by one thread.
 */
public final class PacketSource {
    private final PacketCapture capture;
    private final PacketDecoder decoder;
    private final PacketBatch packets = new PacketBatch(PacketBatch.DEFAULT_CAPACITY);

    /**
     * Creates a source of tuples.
     *
     * @param capture source of packets; not closed by this source
     * @param isInside whether the key of a tunnelled packet is the key of the innermost packet
     * @throws IllegalArgumentException when the capture has an unsupported link type
     */
    public PacketSource(PacketCapture capture, boolean isInside) {
        this.capture = capture;
        decoder = new PacketDecoder(capture.linkType(), isInside);
    }

    /** Returns the maximum number of tuples written by {@link #receive}. */
    public static int packetsMax() {
        return PacketBatch.DEFAULT_CAPACITY;
    }

    /**
     * Receives packets.
     *
     * @param tuples address of room for {@link #packetsMax} tuples
     * @param timeoutMs maximum wait for the first packet
     * @return number of tuples; 0 after the timeout; {@link PacketCapture#END} at the end of a file
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
