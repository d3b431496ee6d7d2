package io.chimera.flow.ipfix;

/**
 * Numbers of information elements as registered by IANA, named as in RFC 7012. Numbers up to 127 are also NetFlow 9
 * field types. The key of an enterprise element has the enterprise number in its upper half. The reverse elements of
 * RFC 5103 form an enterprise of their own.
 */
final class Elements {
    static final int OCTET_DELTA_COUNT = 1;
    static final int PACKET_DELTA_COUNT = 2;
    static final int PROTOCOL_IDENTIFIER = 4;
    static final int IP_CLASS_OF_SERVICE = 5;
    static final int TCP_CONTROL_BITS = 6;
    static final int SOURCE_TRANSPORT_PORT = 7;
    static final int SOURCE_IPV4_ADDRESS = 8;
    static final int INGRESS_INTERFACE = 10;
    static final int DESTINATION_TRANSPORT_PORT = 11;
    static final int DESTINATION_IPV4_ADDRESS = 12;
    static final int EGRESS_INTERFACE = 14;
    static final int BGP_SOURCE_AS_NUMBER = 16;
    static final int BGP_DESTINATION_AS_NUMBER = 17;
    static final int FLOW_END_SYS_UP_TIME = 21;
    static final int FLOW_START_SYS_UP_TIME = 22;
    static final int POST_OCTET_DELTA_COUNT = 23;
    static final int POST_PACKET_DELTA_COUNT = 24;
    static final int SOURCE_IPV6_ADDRESS = 27;
    static final int DESTINATION_IPV6_ADDRESS = 28;
    static final int ICMP_TYPE_CODE_IPV4 = 32;
    static final int SAMPLING_INTERVAL = 34;
    static final int SAMPLING_ALGORITHM = 35;
    static final int EXPORTED_OCTET_TOTAL_COUNT = 40;
    static final int EXPORTED_MESSAGE_TOTAL_COUNT = 41;
    static final int EXPORTED_FLOW_RECORD_TOTAL_COUNT = 42;
    static final int SAMPLER_ID = 48;
    static final int SAMPLER_RANDOM_INTERVAL = 50;
    static final int VLAN_ID = 58;
    static final int IP_VERSION = 60;
    static final int MPLS_TOP_LABEL_STACK_SECTION = 70;
    static final int OCTET_TOTAL_COUNT = 85;
    static final int PACKET_TOTAL_COUNT = 86;
    static final int FLOW_END_REASON = 136;
    static final int ICMP_TYPE_CODE_IPV6 = 139;
    static final int EXPORTING_PROCESS_ID = 144;
    static final int FLOW_ID = 148;
    static final int FLOW_START_SECONDS = 150;
    static final int FLOW_END_SECONDS = 151;
    static final int FLOW_START_MILLISECONDS = 152;
    static final int FLOW_END_MILLISECONDS = 153;
    static final int FLOW_START_MICROSECONDS = 154;
    static final int FLOW_END_MICROSECONDS = 155;
    static final int FLOW_START_NANOSECONDS = 156;
    static final int FLOW_END_NANOSECONDS = 157;
    static final int FLOW_START_DELTA_MICROSECONDS = 158;
    static final int FLOW_END_DELTA_MICROSECONDS = 159;
    static final int SYSTEM_INIT_TIME_MILLISECONDS = 160;
    static final int FLOW_DURATION_MILLISECONDS = 161;
    static final int FLOW_DURATION_MICROSECONDS = 162;
    static final int NOT_SENT_FLOW_TOTAL_COUNT = 165;
    static final int NOT_SENT_PACKET_TOTAL_COUNT = 166;
    static final int NOT_SENT_OCTET_TOTAL_COUNT = 167;
    static final int ICMP_TYPE_IPV4 = 176;
    static final int ICMP_CODE_IPV4 = 177;
    static final int ICMP_TYPE_IPV6 = 178;
    static final int ICMP_CODE_IPV6 = 179;
    static final int UDP_SOURCE_PORT = 180;
    static final int UDP_DESTINATION_PORT = 181;
    static final int TCP_SOURCE_PORT = 182;
    static final int TCP_DESTINATION_PORT = 183;
    static final int PADDING_OCTETS = 210;
    static final int INITIATOR_OCTETS = 231;
    static final int RESPONDER_OCTETS = 232;
    static final int DOT1Q_VLAN_ID = 243;
    static final int DOT1Q_CUSTOMER_VLAN_ID = 245;
    static final int INITIATOR_PACKETS = 298;
    static final int RESPONDER_PACKETS = 299;
    static final int SELECTOR_ID = 302;
    static final int SELECTOR_ALGORITHM = 304;
    static final int SAMPLING_PACKET_INTERVAL = 305;
    static final int SAMPLING_PACKET_SPACE = 306;
    static final int LAYER2_SEGMENT_ID = 351;
    static final int LAYER2_OCTET_DELTA_COUNT = 352;
    static final int GTPU_TEID = 507;

    /**
     * Enterprise of the reverse elements: the IANA elements, counted in the reverse direction of a flow (RFC 5103,
     * 6.1).
     */
    static final int REVERSE_ENTERPRISE = 29_305;

    /**
     * Added to an element number to denote the reverse direction. Element numbers have 15 bits, so the sum equals no
     * other element.
     */
    static final int REVERSE = 1 << 15;

    /** Bit of a field specifier: an enterprise number follows. */
    static final int ENTERPRISE_BIT = 0x8000;

    /** Length in a field specifier: each record carries the length of the value. */
    static final int VARIABLE_LENGTH = 0xFFFF;

    private Elements() {}
}
