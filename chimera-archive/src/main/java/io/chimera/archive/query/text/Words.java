package io.chimera.archive.query.text;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Keywords of packet filters, with the numbers of libpcap. */
public final class Words {
    private static final String LINK_TYPE = "frames of another link type; see docs/archive.md for the supported types";

    /** Keywords of libpcap refused by the archive, with the reason. */
    private static final Map<String, String> REFUSED = refused();

    private static final Set<String> JOINING = Set.of(
            "and",
            "or",
            "not",
            "src",
            "dst",
            "host",
            "net",
            "mask",
            "port",
            "portrange",
            "proto",
            "less",
            "greater",
            "broadcast",
            "multicast",
            "len",
            "length",
            "vlan",
            "mpls",
            "pppoed",
            "pppoes");

    private static final Map<String, Integer> NUMBERS = numbers();

    /** Names of Ethernet types and access points, after {@code ether proto \}. */
    private static final Map<String, Integer> LINK_PROTOCOLS = linkProtocols();

    /** Names of IP protocols, as in /etc/protocols of Debian 12. */
    private static final Map<String, Integer> IP_PROTOCOLS = pairs("""
        ip 0 hopopt 0 icmp 1 igmp 2 ggp 3 ipencap 4 st 5 tcp 6 egp 8 igp 9 pup 12 udp 17 hmp 20 xns-idp 22
        rdp 27 iso-tp4 29 dccp 33 xtp 36 ddp 37 idpr-cmtp 38 ipv6 41 ipv6-route 43 ipv6-frag 44 idrp 45
        rsvp 46 gre 47 esp 50 ah 51 skip 57 ipv6-icmp 58 ipv6-nonxt 59 ipv6-opts 60 rspf 73 vmtp 81 eigrp 88
        ospf 89 ax.25 93 ipip 94 etherip 97 encap 98 pim 103 ipcomp 108 vrrp 112 l2tp 115 isis 124 sctp 132
        fc 133 mobility-header 135 udplite 136 mpls-in-ip 137 manet 138 hip 139 shim6 140 wesp 141 rohc 142
        """);

    private Words() {}

    static boolean isKeyword(String word) {
        return JOINING.contains(word) || REFUSED.containsKey(word) || Protocol.of(word) != null;
    }

    /** Returns the reason for a refused keyword; null if not refused. */
    public static @Nullable String refusal(String word) {
        return REFUSED.get(word);
    }

    /** Returns the number of a word such as tcp-syn; null without a number. */
    static @Nullable Integer number(String word) {
        return NUMBERS.get(word);
    }

    /** Returns null for an unknown name. */
    public static @Nullable Integer linkProtocol(String name) {
        return LINK_PROTOCOLS.get(name);
    }

    /** Returns null for an unknown name. */
    public static @Nullable Integer ipProtocol(String name) {
        return IP_PROTOCOLS.get(name);
    }

    private static Map<String, String> refused() {
        Map<String, String> refused = new HashMap<>();
        refused.put(
                "gateway",
                "a gateway is identified by the addresses of its name, and names are not looked up; write"
                        + " 'ether host <its MAC address> and not host <its IP address>'");
        refused.put(
                "protochain",
                "chains of headers are not followed; write 'proto <number>', which tests the header directly after the"
                        + " IP header or a fragment header");
        refused.put("byte", "'byte' is not documented by libpcap; write ether[<index>] = <number>");
        for (String word : List.of("inbound", "outbound")) {
            refused.put(
                    word,
                    "frames are recorded without the direction at the interface; write" + " 'ether src <MAC address>'");
        }
        refused.put("ifindex", "frames are recorded without an interface number; query the stream of the interface");
        for (String word : List.of(
                "on", "ifname", "rset", "ruleset", "rnr", "rulenum", "srnr", "subrulenum", "reason", "action")) {
            refused.put(word, "the term needs metadata of a BSD packet filter; omit the term");
        }
        for (String word : List.of(
                "type",
                "subtype",
                "direction",
                "dir",
                "address1",
                "addr1",
                "address2",
                "addr2",
                "address3",
                "addr3",
                "address4",
                "addr4",
                "ra",
                "ta",
                "radio")) {
            refused.put(word, "the term applies to IEEE 802.11, i.e. " + LINK_TYPE);
        }
        for (String word : List.of(
                "lane",
                "metac",
                "bcc",
                "oam",
                "oamf4",
                "oamf4ec",
                "oamf4sc",
                "sc",
                "ilmic",
                "vpi",
                "vci",
                "connectmsg",
                "metaconnect")) {
            refused.put(word, "the term applies to ATM cells, i.e. " + LINK_TYPE);
        }
        for (String word : List.of(
                "fisu", "lssu", "lsu", "msu", "hfisu", "hlssu", "hmsu", "sio", "opc", "dpc", "sls", "hsio", "hopc",
                "hdpc", "hsls")) {
            refused.put(word, "the term applies to SS7 messages, i.e. " + LINK_TYPE);
        }
        for (String word :
                List.of("esis", "es-is", "isis", "is-is", "clnp", "l1", "l2", "iih", "lsp", "snp", "csnp", "psnp")) {
            refused.put(
                    word,
                    "protocols of OSI are not distinguished; use 'iso' with bytes of the frame, such as"
                            + " 'iso and ether[17] = 0x83'");
        }
        refused.put(
                "llc",
                "kinds of 802.2 frames are not distinguished; use 'ether[12:2] <= 1500' with bytes of the frame");
        refused.put("geneve", "the content of Geneve is not parsed; use 'udp port 6081'");
        return refused;
    }

    private static Map<String, Integer> numbers() {
        return pairs("""
            icmptype 0 icmpcode 1 icmp-echoreply 0 icmp-unreach 3 icmp-sourcequench 4 icmp-redirect 5 icmp-echo 8
            icmp-routeradvert 9 icmp-routersolicit 10 icmp-timxceed 11 icmp-paramprob 12 icmp-tstamp 13
            icmp-tstampreply 14 icmp-ireq 15 icmp-ireqreply 16 icmp-maskreq 17 icmp-maskreply 18
            icmp6type 0 icmp6code 1 icmp6-destinationunreach 1 icmp6-packettoobig 2 icmp6-timeexceeded 3
            icmp6-parameterproblem 4 icmp6-echo 128 icmp6-echoreply 129 icmp6-multicastlistenerquery 130
            icmp6-multicastlistenerreportv1 131 icmp6-multicastlistenerdone 132 icmp6-routersolicit 133
            icmp6-routeradvert 134 icmp6-neighborsolicit 135 icmp6-neighboradvert 136 icmp6-redirect 137
            icmp6-routerrenum 138 icmp6-nodeinformationquery 139 icmp6-nodeinformationresponse 140
            icmp6-ineighbordiscoverysolicit 141 icmp6-ineighbordiscoveryadvert 142
            icmp6-multicastlistenerreportv2 143 icmp6-homeagentdiscoveryrequest 144
            icmp6-homeagentdiscoveryreply 145 icmp6-mobileprefixsolicit 146 icmp6-mobileprefixadvert 147
            icmp6-certpathsolicit 148 icmp6-certpathadvert 149 icmp6-multicastrouteradvert 151
            icmp6-multicastroutersolicit 152 icmp6-multicastrouterterm 153
            tcpflags 13 tcp-fin 1 tcp-syn 2 tcp-rst 4 tcp-push 8 tcp-ack 16 tcp-urg 32 tcp-ece 64 tcp-cwr 128
            """);
    }

    private static Map<String, Integer> linkProtocols() {
        Map<String, Integer> protocols = Stream.of(Protocol.values())
                .filter(protocol -> protocol.linkProtocol() >= 0)
                .collect(Collectors.toMap(Protocol::word, Protocol::linkProtocol));
        protocols.put("loopback", 0x9000);
        return protocols;
    }

    private static Map<String, Integer> pairs(String text) {
        String[] words = text.strip().split("\\s+", -1);
        Map<String, Integer> pairs = new HashMap<>();
        for (int i = 0; i < words.length; i += 2) {
            pairs.put(words[i], Integer.valueOf(words[i + 1]));
        }
        return pairs;
    }
}
