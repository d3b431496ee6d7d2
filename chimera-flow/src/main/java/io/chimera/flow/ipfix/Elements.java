package io.chimera.flow.ipfix;

/**
 * Numbers of information elements as registered by IANA, named as in RFC 7012. Numbers up to 127 are also NetFlow 9
 * field types. The key of an enterprise element has the enterprise number in its upper half. The reverse elements of
 * RFC 5103 form an enterprise of their own.
 */
public final class Elements {
    public static final int OCTET_DELTA_COUNT = 1;
    public static final int PACKET_DELTA_COUNT = 2;
    public static final int PROTOCOL_IDENTIFIER = 4;
    public static final int IP_CLASS_OF_SERVICE = 5;
    public static final int TCP_CONTROL_BITS = 6;
    public static final int SOURCE_TRANSPORT_PORT = 7;
    public static final int SOURCE_IPV4_ADDRESS = 8;
    public static final int INGRESS_INTERFACE = 10;
    public static final int DESTINATION_TRANSPORT_PORT = 11;
    public static final int DESTINATION_IPV4_ADDRESS = 12;
    public static final int EGRESS_INTERFACE = 14;
    public static final int BGP_SOURCE_AS_NUMBER = 16;
    public static final int BGP_DESTINATION_AS_NUMBER = 17;
    public static final int FLOW_END_SYS_UP_TIME = 21;
    public static final int FLOW_START_SYS_UP_TIME = 22;
    public static final int POST_OCTET_DELTA_COUNT = 23;
    public static final int POST_PACKET_DELTA_COUNT = 24;
    public static final int SOURCE_IPV6_ADDRESS = 27;
    public static final int DESTINATION_IPV6_ADDRESS = 28;
    public static final int ICMP_TYPE_CODE_IPV4 = 32;
    public static final int SAMPLING_INTERVAL = 34;
    public static final int SAMPLING_ALGORITHM = 35;
    public static final int EXPORTED_OCTET_TOTAL_COUNT = 40;
    public static final int EXPORTED_MESSAGE_TOTAL_COUNT = 41;
    public static final int EXPORTED_FLOW_RECORD_TOTAL_COUNT = 42;
    public static final int SAMPLER_ID = 48;
    public static final int SAMPLER_RANDOM_INTERVAL = 50;
    public static final int VLAN_ID = 58;
    public static final int IP_VERSION = 60;
    public static final int MPLS_TOP_LABEL_STACK_SECTION = 70;
    public static final int OCTET_TOTAL_COUNT = 85;
    public static final int PACKET_TOTAL_COUNT = 86;
    public static final int FLOW_END_REASON = 136;
    public static final int ICMP_TYPE_CODE_IPV6 = 139;
    public static final int EXPORTING_PROCESS_ID = 144;
    public static final int FLOW_ID = 148;
    public static final int FLOW_START_SECONDS = 150;
    public static final int FLOW_END_SECONDS = 151;
    public static final int FLOW_START_MILLISECONDS = 152;
    public static final int FLOW_END_MILLISECONDS = 153;
    public static final int FLOW_START_MICROSECONDS = 154;
    public static final int FLOW_END_MICROSECONDS = 155;
    public static final int FLOW_START_NANOSECONDS = 156;
    public static final int FLOW_END_NANOSECONDS = 157;
    public static final int FLOW_START_DELTA_MICROSECONDS = 158;
    public static final int FLOW_END_DELTA_MICROSECONDS = 159;
    public static final int SYSTEM_INIT_TIME_MILLISECONDS = 160;
    public static final int FLOW_DURATION_MILLISECONDS = 161;
    public static final int FLOW_DURATION_MICROSECONDS = 162;
    public static final int NOT_SENT_FLOW_TOTAL_COUNT = 165;
    public static final int NOT_SENT_PACKET_TOTAL_COUNT = 166;
    public static final int NOT_SENT_OCTET_TOTAL_COUNT = 167;
    public static final int ICMP_TYPE_IPV4 = 176;
    public static final int ICMP_CODE_IPV4 = 177;
    public static final int ICMP_TYPE_IPV6 = 178;
    public static final int ICMP_CODE_IPV6 = 179;
    public static final int UDP_SOURCE_PORT = 180;
    public static final int UDP_DESTINATION_PORT = 181;
    public static final int TCP_SOURCE_PORT = 182;
    public static final int TCP_DESTINATION_PORT = 183;
    public static final int PADDING_OCTETS = 210;
    public static final int INITIATOR_OCTETS = 231;
    public static final int RESPONDER_OCTETS = 232;
    public static final int DOT1Q_VLAN_ID = 243;
    public static final int DOT1Q_CUSTOMER_VLAN_ID = 245;
    public static final int INITIATOR_PACKETS = 298;
    public static final int RESPONDER_PACKETS = 299;
    public static final int SELECTOR_ID = 302;
    public static final int SELECTOR_ALGORITHM = 304;
    public static final int SAMPLING_PACKET_INTERVAL = 305;
    public static final int SAMPLING_PACKET_SPACE = 306;
    public static final int LAYER2_SEGMENT_ID = 351;
    public static final int LAYER2_OCTET_DELTA_COUNT = 352;
    public static final int GTPU_TEID = 507;

    /**
     * Enterprise of the reverse elements: the IANA elements, counted in the reverse direction of a flow (RFC 5103,
     * 6.1).
     */
    public static final int REVERSE_ENTERPRISE = 29_305;

    /**
     * Added to an element number to denote the reverse direction. Element numbers have 15 bits, so the sum equals no
     * other element.
     */
    public static final int REVERSE = 1 << 15;

    /** Bit of a field specifier: an enterprise number follows. */
    public static final int ENTERPRISE_BIT = 0x8000;

    /** Length in a field specifier: each record carries the length of the value. */
    public static final int VARIABLE_LENGTH = 0xFFFF;

    private Elements() {}
}
