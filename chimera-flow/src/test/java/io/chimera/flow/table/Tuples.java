package io.chimera.flow.table;

import io.chimera.flow.packet.PacketBuilder;
import io.chimera.flow.packet.PacketDecoder;
import io.chimera.flow.packet.PacketTuple;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Consecutive tuples of packets, annotated with flow IDs, for tests. */
final class Tuples {
    private static final int CAPACITY = 4096;
    private static final int ETHERNET = 1;

    private final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY * PacketTuple.LENGTH));
    private final UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(1 << 17));
    private final PacketDecoder decoder = new PacketDecoder(ETHERNET, false);
    private final FlowId flowId;
    private int count;

    Tuples() {
        this(new FlowId(0, true));
    }

    Tuples(FlowId flowId) {
        this.flowId = flowId;
    }

    Tuples tcp(long timeNs, String source, int sourcePort, String destination, int destinationPort, int flags) {
        byte[] segment = PacketBuilder.tcp(sourcePort, destinationPort, flags, new byte[10]);
        return add(
                timeNs,
                PacketBuilder.ethernet(PacketBuilder.IPV4, PacketBuilder.ipv4(source, destination, 6, segment)));
    }

    Tuples udp(long timeNs, String source, int sourcePort, String destination, int destinationPort) {
        byte[] datagram = PacketBuilder.udp(sourcePort, destinationPort, new byte[20]);
        return add(
                timeNs,
                PacketBuilder.ethernet(PacketBuilder.IPV4, PacketBuilder.ipv4(source, destination, 17, datagram)));
    }

    Tuples add(long timeNs, byte[] bytes) {
        frame.putBytes(0, bytes);
        decoder.decode(frame.addressOffset(), bytes.length, bytes.length, timeNs, 0, 0, address(count));
        flowId.annotate(address(count), 1);
        count++;
        return this;
    }

    /** Passes all tuples to a table and resets the count; the tuples remain readable. */
    void into(FlowTable table) {
        table.accept(address(0), count);
        count = 0;
    }

    PacketTuple tuple(int n) {
        return new PacketTuple().wrap(address(n));
    }

    long address(int n) {
        return memory.addressOffset() + (long) n * PacketTuple.LENGTH;
    }

    int count() {
        return count;
    }
}
