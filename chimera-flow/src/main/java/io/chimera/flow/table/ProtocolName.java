package io.chimera.flow.table;

/** Names of IP protocols for display and tags. */
public final class ProtocolName {
    private static final String[] NAMES = new String[256];

    static {
        for (int protocol = 0; protocol < NAMES.length; protocol++) {
            NAMES[protocol] = Integer.toString(protocol);
        }
        NAMES[1] = "icmp";
        NAMES[2] = "igmp";
        NAMES[4] = "ipip";
        NAMES[6] = "tcp";
        NAMES[17] = "udp";
        NAMES[33] = "dccp";
        NAMES[41] = "ipv6";
        NAMES[47] = "gre";
        NAMES[50] = "esp";
        NAMES[51] = "ah";
        NAMES[58] = "icmp6";
        NAMES[89] = "ospf";
        NAMES[103] = "pim";
        NAMES[112] = "vrrp";
        NAMES[132] = "sctp";
        NAMES[136] = "udplite";
    }

    private ProtocolName() {}

    /** Returns the name of a protocol, 0 to 255; the number of an unnamed protocol. */
    public static String of(int protocol) {
        return NAMES[protocol];
    }
}
