package io.chimera.archive.query;

import java.util.List;

/** A protocol that a filter names: how it is told from others. */
enum Protocol {
    /** Any: nothing was said. */
    ANY(List.of(), -1, -1, 0),
    LINK(List.of("ether", "link", "ppp", "slip", "fddi", "tr", "wlan"), -1, -1, 0),
    IP(List.of("ip"), 0x0800, -1, 0),
    IP6(List.of("ip6"), 0x86DD, -1, 0),
    ARP(List.of("arp"), 0x0806, -1, 0),
    RARP(List.of("rarp"), 0x8035, -1, 0),
    TCP(List.of("tcp"), -1, 6, Protocol.BOTH),
    UDP(List.of("udp"), -1, 17, Protocol.BOTH),
    SCTP(List.of("sctp"), -1, 132, Protocol.BOTH),
    ICMP(List.of("icmp"), -1, 1, Protocol.FOUR),
    ICMP6(List.of("icmp6"), -1, 58, Protocol.SIX),
    IGMP(List.of("igmp"), -1, 2, Protocol.FOUR),
    IGRP(List.of("igrp"), -1, 9, Protocol.FOUR),
    PIM(List.of("pim"), -1, 103, Protocol.BOTH),
    VRRP(List.of("vrrp"), -1, 112, Protocol.FOUR),
    CARP(List.of("carp"), -1, 112, Protocol.FOUR),
    AH(List.of("ah"), -1, 51, Protocol.BOTH),
    ESP(List.of("esp"), -1, 50, Protocol.BOTH),
    ATALK(List.of("atalk"), 0x809B, -1, 0),
    AARP(List.of("aarp"), 0x80F3, -1, 0),
    DECNET(List.of("decnet"), 0x6003, -1, 0),
    SCA(List.of("sca"), 0x6007, -1, 0),
    LAT(List.of("lat"), 0x6004, -1, 0),
    MOPDL(List.of("mopdl"), 0x6001, -1, 0),
    MOPRC(List.of("moprc"), 0x6002, -1, 0),
    ISO(List.of("iso"), 0xFE, -1, 0),
    STP(List.of("stp"), 0x42, -1, 0),
    IPX(List.of("ipx"), 0xE0, -1, 0),
    NETBEUI(List.of("netbeui"), 0xF0, -1, 0);

    private static final int FOUR = 1;
    private static final int SIX = 2;
    private static final int BOTH = FOUR | SIX;

    private final List<String> words;
    private final int linkProtocol;
    private final int ipProtocol;
    private final int versions;

    /**
     * @param linkProtocol Ethernet type, or service access point of 802.2 where it is below 1501; -1: it is carried by IP
     * @param ipProtocol number in the header of IP; -1: none
     * @param versions of IP that carry it
     */
    Protocol(List<String> words, int linkProtocol, int ipProtocol, int versions) {
        this.words = words;
        this.linkProtocol = linkProtocol;
        this.ipProtocol = ipProtocol;
        this.versions = versions;
    }

    /** Null when a word is not the name of one. */
    static Protocol of(String word) {
        for (Protocol protocol : values()) {
            if (protocol.words.contains(word)) {
                return protocol;
            }
        }
        return null;
    }

    int linkProtocol() {
        return linkProtocol;
    }

    int ipProtocol() {
        return ipProtocol;
    }

    boolean isOnIp() {
        return ipProtocol >= 0;
    }

    boolean isIn4() {
        return (versions & FOUR) != 0;
    }

    boolean isIn6() {
        return (versions & SIX) != 0;
    }

    boolean hasPorts() {
        return this == TCP || this == UDP || this == SCTP;
    }

    String word() {
        return this == ANY ? "" : words.get(0);
    }
}
