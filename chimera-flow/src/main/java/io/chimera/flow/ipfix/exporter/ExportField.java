package io.chimera.flow.ipfix.exporter;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.flow.ipfix.Elements;
import io.chimera.flow.ipfix.Ntp;
import io.chimera.flow.table.FlowRecord;
import org.agrona.MutableDirectBuffer;

/** Field of an exported record: information element, length and encoding. */
enum ExportField {
    START_MS(Elements.FLOW_START_MILLISECONDS, 8),
    END_MS(Elements.FLOW_END_MILLISECONDS, 8),
    START_NS(Elements.FLOW_START_NANOSECONDS, 8),
    END_NS(Elements.FLOW_END_NANOSECONDS, 8),
    BYTES(Elements.OCTET_DELTA_COUNT, 8),
    PACKETS(Elements.PACKET_DELTA_COUNT, 8),
    WIRE_BYTES(Elements.LAYER2_OCTET_DELTA_COUNT, 8),
    REVERSE_BYTES(Elements.OCTET_DELTA_COUNT | Elements.REVERSE, 8),
    REVERSE_PACKETS(Elements.PACKET_DELTA_COUNT | Elements.REVERSE, 8),
    REVERSE_WIRE_BYTES(Elements.LAYER2_OCTET_DELTA_COUNT | Elements.REVERSE, 8),
    FLOW_ID(Elements.FLOW_ID, 8),
    SOURCE_IPV4(Elements.SOURCE_IPV4_ADDRESS, 4),
    DESTINATION_IPV4(Elements.DESTINATION_IPV4_ADDRESS, 4),
    SOURCE_IPV6(Elements.SOURCE_IPV6_ADDRESS, 16),
    DESTINATION_IPV6(Elements.DESTINATION_IPV6_ADDRESS, 16),
    SOURCE_PORT(Elements.SOURCE_TRANSPORT_PORT, 2),
    DESTINATION_PORT(Elements.DESTINATION_TRANSPORT_PORT, 2),
    ICMP_IPV4(Elements.ICMP_TYPE_CODE_IPV4, 2),
    ICMP_IPV6(Elements.ICMP_TYPE_CODE_IPV6, 2),
    TCP_FLAGS(Elements.TCP_CONTROL_BITS, 2),
    REVERSE_TCP_FLAGS(Elements.TCP_CONTROL_BITS | Elements.REVERSE, 2),
    VLAN(Elements.VLAN_ID, 2),
    CUSTOMER_VLAN(Elements.DOT1Q_CUSTOMER_VLAN_ID, 2),
    MPLS_LABEL(Elements.MPLS_TOP_LABEL_STACK_SECTION, 3),
    SEGMENT(Elements.LAYER2_SEGMENT_ID, 8),
    GTPU_TEID(Elements.GTPU_TEID, 4),
    IP_VERSION(Elements.IP_VERSION, 1),
    PROTOCOL(Elements.PROTOCOL_IDENTIFIER, 1),
    END_REASON(Elements.FLOW_END_REASON, 1);

    private static final long NS_PER_MS = 1_000_000;

    /** Value of the uppermost byte of layer2SegmentId for VXLAN; that byte holds the kind of segment. */
    private static final long VXLAN_SEGMENT = 1L << 56;

    private final int element;
    private final int length;

    ExportField(int element, int length) {
        this.element = element;
        this.length = length;
    }

    /** Number of the element, with {@link Elements#REVERSE} for the reverse direction. */
    int element() {
        return element;
    }

    /** Bytes of the value. */
    int length() {
        return length;
    }

    /** Writes the field's value of a record: an address, or the low-order bytes of a number. */
    @HotPath
    void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
        switch (this) {
            case SOURCE_IPV6 -> record.sourceAddress(buffer, at);
            case DESTINATION_IPV6 -> record.destinationAddress(buffer, at);
            default -> put(number(record), buffer, at);
        }
    }

    private void put(long number, MutableDirectBuffer buffer, int at) {
        switch (length) {
            case 1 -> buffer.putByte(at, (byte) number);
            case 2 -> buffer.putShort(at, (short) number, BIG_ENDIAN);
            case 3 -> {
                buffer.putShort(at, (short) (number >> Byte.SIZE), BIG_ENDIAN);
                buffer.putByte(at + 2, (byte) number);
            }
            case 4 -> buffer.putInt(at, (int) number, BIG_ENDIAN);
            default -> buffer.putLong(at, number, BIG_ENDIAN);
        }
    }

    private long number(FlowRecord record) {
        return switch (this) {
            case START_MS -> record.firstNs() / NS_PER_MS;
            case END_MS -> record.lastNs() / NS_PER_MS;
            case START_NS -> Ntp.of(record.firstNs());
            case END_NS -> Ntp.of(record.lastNs());
            case BYTES -> record.forwardBytes();
            case PACKETS -> record.forwardPackets();
            case WIRE_BYTES -> record.forwardWireBytes();
            case REVERSE_BYTES -> record.reverseBytes();
            case REVERSE_PACKETS -> record.reversePackets();
            case REVERSE_WIRE_BYTES -> record.reverseWireBytes();
            case FLOW_ID -> record.flowId();
            case SOURCE_IPV4 -> record.sourceIpv4();
            case DESTINATION_IPV4 -> record.destinationIpv4();
            case SOURCE_PORT -> record.sourcePort();
            case DESTINATION_PORT -> record.destinationPort();
            case TCP_FLAGS -> record.forwardTcpFlags();
            case REVERSE_TCP_FLAGS -> record.reverseTcpFlags();
            case VLAN -> record.vlan();
            case CUSTOMER_VLAN -> record.customerVlan();
            case MPLS_LABEL -> (long) record.mplsLabel() << 4;
            case GTPU_TEID -> record.tunnel() == FlowRecord.TUNNEL_GTP_U ? record.tunnelId() : 0;
            case IP_VERSION -> record.ipVersion();
            case PROTOCOL -> record.protocol();
            case END_REASON -> record.endReason();
            case ICMP_IPV4, ICMP_IPV6 -> record.icmpType() << Byte.SIZE | record.icmpCode();
            case SEGMENT -> record.tunnel() == FlowRecord.TUNNEL_VXLAN ? VXLAN_SEGMENT | record.tunnelId() : 0;
            case SOURCE_IPV6, DESTINATION_IPV6 -> 0; // addresses never reach this method
        };
    }
}
