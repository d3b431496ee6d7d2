package io.chimera.common.config;

/** What a data point can say of a flow, as a tag or as a field. Forward is the direction that was seen first. */
public enum FlowColumn {
    /** Source address. */
    SRC,
    /** Destination address. */
    DST,
    /** Source port. */
    SRC_PORT,
    /** Destination port; of ICMP type * 256 + code. */
    DST_PORT,
    /** Protocol of IP: its name as a tag, its number as a field. */
    PROTOCOL,
    /** Version of IP. */
    IP_VERSION,
    /** Outermost VLAN; 0: none. */
    VLAN,
    /** Second VLAN tag; 0: none. */
    CUSTOMER_VLAN,
    /** Topmost MPLS label; 0: none. */
    MPLS_LABEL,
    /** What it ran in: 0 nothing, 1 GRE, 2 VXLAN, 3 GTP-U, 4 IP. */
    TUNNEL,
    /** Which tunnel. */
    TUNNEL_ID,
    /** Type of ICMP. */
    ICMP_TYPE,
    /** Code of ICMP. */
    ICMP_CODE,
    /** Why the record ended, as flowEndReason of IPFIX. */
    END_REASON,
    /** Hash of the key. */
    FLOW_ID,
    /** TCP flags of the forward packets. */
    TCP_FLAGS,
    /** TCP flags of the reverse packets. */
    REVERSE_TCP_FLAGS,
    /** Forward packets. */
    PACKETS,
    /** Forward bytes of IP. */
    BYTES,
    /** Forward bytes of whole frames; 0 where an exporter does not tell. */
    WIRE_BYTES,
    /** Reverse packets. */
    REVERSE_PACKETS,
    /** Reverse bytes of IP. */
    REVERSE_BYTES,
    /** Reverse bytes of whole frames. */
    REVERSE_WIRE_BYTES,
    /** Milliseconds from the first packet to the last. */
    DURATION_MS,
    /** Address of the exporter; inputs of type ipfix only, as the rest. */
    EXPORTER,
    /** Observation domain, source or engine. */
    DOMAIN,
    /** Interface by which it came. */
    INGRESS_INTERFACE,
    /** Interface by which it went. */
    EGRESS_INTERFACE,
    /** Type of service, or traffic class. */
    CLASS_OF_SERVICE,
    /** Number of the source's autonomous system. */
    SRC_AS,
    /** Number of the destination's autonomous system. */
    DST_AS,
    /** One packet in so many was looked at. */
    SAMPLING_INTERVAL;

    /** Whether only an exporter knows it. */
    public boolean isOfExporter() {
        return compareTo(EXPORTER) >= 0;
    }
}
