package io.chimera.archive.query.text;

import org.jspecify.annotations.Nullable;

/** Protocol of a filter, with the numbers for its detection. */
public enum Protocol {
    /** No protocol given. */
    ANY("", -1, -1, 0),
    LINK("ether link ppp slip fddi tr wlan", -1, -1, 0),
    IP("ip", 0x0800, -1, 0),
    IP6("ip6", 0x86DD, -1, 0),
    ARP("arp", 0x0806, -1, 0),
    RARP("rarp", 0x8035, -1, 0),
    TCP("tcp", -1, 6, Protocol.BOTH),
    UDP("udp", -1, 17, Protocol.BOTH),
    SCTP("sctp", -1, 132, Protocol.BOTH),
    ICMP("icmp", -1, 1, Protocol.FOUR),
    ICMP6("icmp6", -1, 58, Protocol.SIX),
    IGMP("igmp", -1, 2, Protocol.FOUR),
    IGRP("igrp", -1, 9, Protocol.FOUR),
    PIM("pim", -1, 103, Protocol.BOTH),
    VRRP("vrrp", -1, 112, Protocol.FOUR),
    CARP("carp", -1, 112, Protocol.FOUR),
    AH("ah", -1, 51, Protocol.BOTH),
    ESP("esp", -1, 50, Protocol.BOTH),
    ATALK("atalk", 0x809B, -1, 0),
    AARP("aarp", 0x80F3, -1, 0),
    DECNET("decnet", 0x6003, -1, 0),
    SCA("sca", 0x6007, -1, 0),
    LAT("lat", 0x6004, -1, 0),
    MOPDL("mopdl", 0x6001, -1, 0),
    MOPRC("moprc", 0x6002, -1, 0),
    ISO("iso", 0xFE, -1, 0),
    STP("stp", 0x42, -1, 0),
    IPX("ipx", 0xE0, -1, 0),
    NETBEUI("netbeui", 0xF0, -1, 0);

    private static final int FOUR = 1;
    private static final int SIX = 2;
    private static final int BOTH = FOUR | SIX;

    /** Names, separated by blanks; messages use the first. */
    private final String words;

    private final int linkProtocol;
    private final int ipProtocol;
    private final int versions;

    /**
     * Sets names and numbers.
     *
     * @param linkProtocol Ethernet type, or 802.2 service access point below 1501; -1: carried by IP
     * @param ipProtocol number in the IP header; -1: none
     * @param versions versions of IP that carry the protocol
     */
    Protocol(String words, int linkProtocol, int ipProtocol, int versions) {
        this.words = words;
        this.linkProtocol = linkProtocol;
        this.ipProtocol = ipProtocol;
        this.versions = versions;
    }

    /** Returns null for an unknown word. */
    public static @Nullable Protocol of(String word) {
        for (Protocol protocol : values()) {
            if (protocol != ANY && (" " + protocol.words + " ").contains(" " + word + " ")) {
                return protocol;
            }
        }
        return null;
    }

    public int linkProtocol() {
        return linkProtocol;
    }

    public int ipProtocol() {
        return ipProtocol;
    }

    public boolean isOnIp() {
        return ipProtocol >= 0;
    }

    public boolean isIn4() {
        return (versions & FOUR) != 0;
    }

    public boolean isIn6() {
        return (versions & SIX) != 0;
    }

    public boolean hasPorts() {
        return this == TCP || this == UDP || this == SCTP;
    }

    public String word() {
        int end = words.indexOf(' ');
        return end < 0 ? words : words.substring(0, end);
    }
}
