package io.chimera.common.config;

/** Attribute of a flow, written to a data point as a tag or a field. Forward is the direction of the first packet. */
public enum FlowColumn {
    /** Source address. */
    SRC,
    /** Destination address. */
    DST,
    /** Source port. */
    SRC_PORT,
    /** Destination port; for ICMP type * 256 + code. */
    DST_PORT,
    /** IP protocol: name as a tag, number as a field. */
    PROTOCOL,
    /** IP version. */
    IP_VERSION,
    /** Outermost VLAN; 0: none. */
    VLAN,
    /** Second VLAN tag; 0: none. */
    CUSTOMER_VLAN,
    /** Topmost MPLS label; 0: none. */
    MPLS_LABEL,
    /** Kind of the tunnel: 0 none, 1 GRE, 2 VXLAN, 3 GTP-U, 4 IP. */
    TUNNEL,
    /** Identifier of the tunnel. */
    TUNNEL_ID,
    /** ICMP type. */
    ICMP_TYPE,
    /** ICMP code. */
    ICMP_CODE,
    /** Reason for the end of the record, as flowEndReason of IPFIX. */
    END_REASON,
    /** Hash of the key. */
    FLOW_ID,
    /** TCP flags of the forward packets. */
    TCP_FLAGS,
    /** TCP flags of the reverse packets. */
    REVERSE_TCP_FLAGS,
    /** Forward packets. */
    PACKETS,
    /** Forward IP bytes. */
    BYTES,
    /** Forward bytes of whole frames; 0 if unknown to the exporter. */
    WIRE_BYTES,
    /** Reverse packets. */
    REVERSE_PACKETS,
    /** Reverse IP bytes. */
    REVERSE_BYTES,
    /** Reverse bytes of whole frames. */
    REVERSE_WIRE_BYTES,
    /** Milliseconds from the first packet to the last. */
    DURATION_MS,
    /** Address of the exporter; this and the following columns are only for inputs of type ipfix. */
    EXPORTER,
    /** Observation domain, source or engine. */
    DOMAIN,
    /** Ingress interface. */
    INGRESS_INTERFACE,
    /** Egress interface. */
    EGRESS_INTERFACE,
    /** Type of service, or traffic class. */
    CLASS_OF_SERVICE,
    /** Autonomous system number of the source. */
    SRC_AS,
    /** Autonomous system number of the destination. */
    DST_AS,
    /** Sampling interval: one of this number of packets was inspected. */
    SAMPLING_INTERVAL;

    /** Returns whether only exporters provide the column. */
    public boolean isOfExporter() {
        return compareTo(EXPORTER) >= 0;
    }
}
