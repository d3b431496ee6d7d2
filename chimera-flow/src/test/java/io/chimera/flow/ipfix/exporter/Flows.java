package io.chimera.flow.ipfix.exporter;

import io.chimera.flow.packet.PacketBuilder;
import io.chimera.flow.packet.PacketTuple;
import io.chimera.flow.table.FlowRecord;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;

/** Builds flow records for tests. */
public final class Flows {
    static final long START_NS = 1_700_000_000_123_456_789L;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[FlowRecord.LENGTH]);

    private Flows() {}

    /** Flow with two packets of 120 bytes in total, lasting one second. */
    static Flows of(String source, String destination, int protocol) {
        Flows flow = new Flows();
        flow.address(FlowRecord.SOURCE_ADDRESS, source);
        flow.address(FlowRecord.DESTINATION_ADDRESS, destination);
        flow.buffer.putByte(FlowRecord.PROTOCOL, (byte) protocol);
        flow.buffer.putByte(FlowRecord.END_REASON, (byte) FlowRecord.END_IDLE);
        return flow.u64(FlowRecord.FORWARD_PACKETS, 2)
                .u64(FlowRecord.FORWARD_BYTES, 120)
                .u64(FlowRecord.FORWARD_WIRE_BYTES, 148)
                .u64(FlowRecord.FIRST_NS, START_NS)
                .u64(FlowRecord.LAST_NS, START_NS + 1_000_000_000);
    }

    /** TCP, UDP or sometimes ICMP flow, with or without reverse direction, VLAN tag, MPLS label and tunnel. */
    public static Flows random(Random random) {
        int kind = random.nextInt(64);
        boolean isV6 = (kind & 1) != 0;
        int protocol = (kind & 6) == 6 ? isV6 ? 58 : 1 : (kind & 2) != 0 ? 17 : 6;
        String network = isV6 ? "2001:db8::" : "10.1.2.";
        Flows flow = of(network + (1 + random.nextInt(99)), network + (1 + random.nextInt(99)), protocol);
        flow.u64(FlowRecord.FORWARD_PACKETS, 1 + random.nextInt(1 << 20))
                .u64(FlowRecord.FORWARD_BYTES, random.nextLong(1L << 40))
                .u64(FlowRecord.FLOW_ID, random.nextLong())
                .u64(FlowRecord.LAST_NS, START_NS + random.nextLong(1L << 36));
        if (protocol == 6 || protocol == 17) {
            flow.ports(random.nextInt(1 << 16), random.nextInt(1 << 16));
            flow.buffer.putByte(FlowRecord.FORWARD_TCP_FLAGS, (byte) (protocol == 6 ? random.nextInt(256) : 0));
        } else {
            flow.icmp(random.nextInt(20), 1 + random.nextInt(15));
        }
        if ((kind & 8) != 0) {
            flow.u64(FlowRecord.REVERSE_PACKETS, 1 + random.nextInt(100))
                    .u64(FlowRecord.REVERSE_BYTES, random.nextInt(1 << 30))
                    .u64(FlowRecord.REVERSE_WIRE_BYTES, random.nextInt(1 << 30));
            flow.buffer.putByte(FlowRecord.REVERSE_TCP_FLAGS, (byte) (protocol == 6 ? random.nextInt(256) : 0));
        }
        if ((kind & 16) != 0) {
            flow.buffer.putShort(FlowRecord.VLAN, (short) (1 + random.nextInt(4094)));
            flow.buffer.putShort(FlowRecord.CUSTOMER_VLAN, (short) random.nextInt(4095));
        }
        if ((kind & 32) != 0) {
            flow.buffer.putInt(FlowRecord.MPLS_LABEL, random.nextInt(1 << 20));
            flow.buffer.putByte(FlowRecord.TUNNEL, (byte) TUNNELS[random.nextInt(TUNNELS.length)]);
            flow.buffer.putInt(FlowRecord.TUNNEL_ID, 1 + random.nextInt((1 << 24) - 1));
        }
        return flow;
    }

    private static final int[] TUNNELS = {PacketTuple.TUNNEL_VXLAN, PacketTuple.TUNNEL_GTP_U};

    private void address(int field, String text) {
        byte[] bytes = PacketBuilder.address(text);
        buffer.putByte(FlowRecord.IP_VERSION, (byte) (bytes.length == 4 ? 4 : 6));
        if (bytes.length == 4) {
            buffer.putShort(field + 10, (short) 0xFFFF);
            buffer.putBytes(field + 12, bytes);
        } else {
            buffer.putBytes(field, bytes);
        }
    }

    Flows ports(int source, int destination) {
        buffer.putShort(FlowRecord.SOURCE_PORT, (short) source);
        buffer.putShort(FlowRecord.DESTINATION_PORT, (short) destination);
        return this;
    }

    Flows icmp(int type, int code) {
        buffer.putByte(FlowRecord.ICMP_TYPE, (byte) type);
        buffer.putByte(FlowRecord.ICMP_CODE, (byte) code);
        return ports(0, (type << 8) | code);
    }

    Flows u64(int field, long value) {
        buffer.putLong(field, value);
        return this;
    }

    public FlowRecord record() {
        return new FlowRecord().wrap(buffer, 0);
    }

    byte[] bytes() {
        return buffer.byteArray();
    }
}
