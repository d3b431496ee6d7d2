package io.chimera.flow.ipfix.collector;

import static io.chimera.flow.ipfix.Elements.REVERSE;

import io.chimera.api.HotPath;
import io.chimera.flow.ipfix.Elements;
import io.chimera.flow.ipfix.Ntp;
import io.chimera.flow.packet.PacketTuple;
import io.chimera.flow.table.FlowRecord;

/** Maps information elements of a data record to fields of a {@link DecodedFlow}. */
final class FlowElements {
    private static final int NUMBER_LENGTH_MAX = 8;
    private static final long NS_PER_S = 1_000_000_000;
    private static final long NS_PER_MS = 1_000_000;
    private static final long NS_PER_US = 1_000;
    private static final long SEGMENT_ID_BITS = 24;
    private static final long SEGMENT_TYPE_SHIFT = 56;
    private static final int MPLS_LABEL_SHIFT = 4;
    private static final int MPLS_SECTION_LENGTH = 3;

    private FlowElements() {}

    /**
     * Stores the value of one element.
     *
     * @param flow receives the value
     * @param element key of the element
     * @param bytes array with the value
     * @param at first byte of the value
     * @param length bytes of the value
     * @param exportNs time of the message, the base of relative times
     * @return false when the flow has no field for the element
     */
    @HotPath
    static boolean put(DecodedFlow flow, int element, byte[] bytes, int at, int length, long exportNs) {
        if (length > NUMBER_LENGTH_MAX) {
            return putAddress(flow, element, bytes, at, length);
        }
        long value = ByteField.unsigned(bytes, at, length);
        switch (element) {
            case Elements.SOURCE_IPV4_ADDRESS, Elements.DESTINATION_IPV4_ADDRESS -> {
                return putAddress(flow, element, bytes, at, length);
            }
            case Elements.PROTOCOL_IDENTIFIER -> flow.u8(FlowRecord.PROTOCOL, value);
            case Elements.SOURCE_TRANSPORT_PORT, Elements.UDP_SOURCE_PORT, Elements.TCP_SOURCE_PORT ->
                flow.u16(FlowRecord.SOURCE_PORT, value);
            case Elements.DESTINATION_TRANSPORT_PORT, Elements.UDP_DESTINATION_PORT, Elements.TCP_DESTINATION_PORT ->
                flow.u16(FlowRecord.DESTINATION_PORT, value);
            case Elements.ICMP_TYPE_CODE_IPV4, Elements.ICMP_TYPE_CODE_IPV6 -> flow.icmp(value >> 8, value);
            case Elements.ICMP_TYPE_IPV4, Elements.ICMP_TYPE_IPV6 ->
                flow.icmp(value, flow.record().icmpCode());
            case Elements.ICMP_CODE_IPV4, Elements.ICMP_CODE_IPV6 ->
                flow.icmp(flow.record().icmpType(), value);
            case Elements.TCP_CONTROL_BITS -> flow.u8(FlowRecord.FORWARD_TCP_FLAGS, value);
            case Elements.TCP_CONTROL_BITS | REVERSE -> flow.u8(FlowRecord.REVERSE_TCP_FLAGS, value);
            case Elements.FLOW_END_REASON -> flow.u8(FlowRecord.END_REASON, value);
            case Elements.FLOW_ID -> flow.u64(FlowRecord.FLOW_ID, value);
            case Elements.IP_VERSION -> {
                // the version follows from the addresses
            }
            default -> {
                return putCount(flow, element, value)
                        || putLayer(flow, element, value, length)
                        || putTime(flow, element, value, exportNs)
                        || putRest(flow, element, value);
            }
        }
        return true;
    }

    private static boolean putAddress(DecodedFlow flow, int element, byte[] bytes, int at, int length) {
        switch (element) {
            case Elements.SOURCE_IPV4_ADDRESS -> {
                if (length == 4) {
                    flow.ipv4(FlowRecord.SOURCE_ADDRESS, bytes, at);
                }
            }
            case Elements.DESTINATION_IPV4_ADDRESS -> {
                if (length == 4) {
                    flow.ipv4(FlowRecord.DESTINATION_ADDRESS, bytes, at);
                }
            }
            case Elements.SOURCE_IPV6_ADDRESS -> {
                if (length == 16) {
                    flow.ipv6(FlowRecord.SOURCE_ADDRESS, bytes, at);
                }
            }
            case Elements.DESTINATION_IPV6_ADDRESS -> {
                if (length == 16) {
                    flow.ipv6(FlowRecord.DESTINATION_ADDRESS, bytes, at);
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static boolean putCount(DecodedFlow flow, int element, long value) {
        switch (element) {
            case Elements.PACKET_DELTA_COUNT, Elements.INITIATOR_PACKETS -> flow.u64(FlowRecord.FORWARD_PACKETS, value);
            case Elements.OCTET_DELTA_COUNT, Elements.INITIATOR_OCTETS -> flow.u64(FlowRecord.FORWARD_BYTES, value);
            case Elements.PACKET_TOTAL_COUNT, Elements.POST_PACKET_DELTA_COUNT ->
                flow.u64IfUnset(FlowRecord.FORWARD_PACKETS, value);
            case Elements.OCTET_TOTAL_COUNT, Elements.POST_OCTET_DELTA_COUNT ->
                flow.u64IfUnset(FlowRecord.FORWARD_BYTES, value);
            case Elements.LAYER2_OCTET_DELTA_COUNT -> flow.u64(FlowRecord.FORWARD_WIRE_BYTES, value);
            case Elements.PACKET_DELTA_COUNT | REVERSE, Elements.RESPONDER_PACKETS ->
                flow.u64(FlowRecord.REVERSE_PACKETS, value);
            case Elements.OCTET_DELTA_COUNT | REVERSE, Elements.RESPONDER_OCTETS ->
                flow.u64(FlowRecord.REVERSE_BYTES, value);
            case Elements.PACKET_TOTAL_COUNT | REVERSE -> flow.u64IfUnset(FlowRecord.REVERSE_PACKETS, value);
            case Elements.OCTET_TOTAL_COUNT | REVERSE -> flow.u64IfUnset(FlowRecord.REVERSE_BYTES, value);
            case Elements.LAYER2_OCTET_DELTA_COUNT | REVERSE -> flow.u64(FlowRecord.REVERSE_WIRE_BYTES, value);
            default -> {
                return false;
            }
        }
        return true;
    }

    private static boolean putLayer(DecodedFlow flow, int element, long value, int length) {
        switch (element) {
            case Elements.VLAN_ID, Elements.DOT1Q_VLAN_ID -> {
                if (value != 0) { // vlanId and dot1qVlanId may both be present, with 0 in one
                    flow.u16(FlowRecord.VLAN, value);
                }
            }
            case Elements.DOT1Q_CUSTOMER_VLAN_ID -> flow.u16(FlowRecord.CUSTOMER_VLAN, value);
            case Elements.MPLS_TOP_LABEL_STACK_SECTION -> {
                if (length == MPLS_SECTION_LENGTH) {
                    flow.u32(FlowRecord.MPLS_LABEL, value >> MPLS_LABEL_SHIFT);
                }
            }
            case Elements.LAYER2_SEGMENT_ID -> {
                if (value >>> SEGMENT_TYPE_SHIFT == 1) {
                    tunnel(flow, PacketTuple.TUNNEL_VXLAN, value & ((1L << SEGMENT_ID_BITS) - 1));
                }
            }
            case Elements.GTPU_TEID -> {
                if (value != 0) {
                    tunnel(flow, PacketTuple.TUNNEL_GTP_U, value);
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static void tunnel(DecodedFlow flow, int tunnel, long id) {
        flow.u8(FlowRecord.TUNNEL, tunnel);
        flow.u32(FlowRecord.TUNNEL_ID, id);
    }

    private static boolean putTime(DecodedFlow flow, int element, long value, long exportNs) {
        switch (element) {
            case Elements.FLOW_START_SYS_UP_TIME -> flow.firstUptime(value);
            case Elements.FLOW_END_SYS_UP_TIME -> flow.lastUptime(value);
            case Elements.FLOW_START_SECONDS -> flow.first(times(value, NS_PER_S));
            case Elements.FLOW_END_SECONDS -> flow.last(times(value, NS_PER_S));
            case Elements.FLOW_START_MILLISECONDS -> flow.first(times(value, NS_PER_MS));
            case Elements.FLOW_END_MILLISECONDS -> flow.last(times(value, NS_PER_MS));
            case Elements.FLOW_START_MICROSECONDS, Elements.FLOW_START_NANOSECONDS -> flow.first(Ntp.toNs(value));
            case Elements.FLOW_END_MICROSECONDS, Elements.FLOW_END_NANOSECONDS -> flow.last(Ntp.toNs(value));
            case Elements.FLOW_START_DELTA_MICROSECONDS -> flow.first(exportNs - times(value, NS_PER_US));
            case Elements.FLOW_END_DELTA_MICROSECONDS -> flow.last(exportNs - times(value, NS_PER_US));
            case Elements.FLOW_DURATION_MILLISECONDS -> flow.duration(times(value, NS_PER_MS));
            case Elements.FLOW_DURATION_MICROSECONDS -> flow.duration(times(value, NS_PER_US));
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Converts to nanoseconds; 0 (unset) on overflow. */
    private static long times(long value, long unitNs) {
        return value < 0 || value > Long.MAX_VALUE / unitNs ? 0 : value * unitNs;
    }

    private static boolean putRest(DecodedFlow flow, int element, long value) {
        switch (element) {
            case Elements.INGRESS_INTERFACE -> flow.ingressInterface = value;
            case Elements.EGRESS_INTERFACE -> flow.egressInterface = value;
            case Elements.IP_CLASS_OF_SERVICE -> flow.classOfService = (int) value & 0xFF;
            case Elements.BGP_SOURCE_AS_NUMBER -> flow.sourceAs = value;
            case Elements.BGP_DESTINATION_AS_NUMBER -> flow.destinationAs = value;
            case Elements.SAMPLER_ID, Elements.SELECTOR_ID -> flow.samplerId = value;
            case Elements.SAMPLING_INTERVAL, Elements.SAMPLER_RANDOM_INTERVAL -> flow.samplingInterval = value;
            case Elements.PADDING_OCTETS -> {
                // padding
            }
            default -> {
                return false;
            }
        }
        return true;
    }
}
