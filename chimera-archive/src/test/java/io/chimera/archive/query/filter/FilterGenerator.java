package io.chimera.archive.query.filter;

import io.chimera.archive.query.condition.LinkTypes;
import io.chimera.archive.query.filter.Packets.Packet;
import io.chimera.archive.query.text.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Generates filters from the content of some packets, so filters match some packets and not others. */
final class FilterGenerator {
    private static final List<String> PROTOCOLS = List.of(
            "ip", "ip6", "arp", "rarp", "tcp", "udp", "icmp", "icmp6", "sctp", "igmp", "pim", "vrrp", "ah", "esp",
            "stp", "ipx", "atalk", "aarp", "decnet", "lat", "moprc", "iso", "netbeui", "carp", "igrp", "sca", "mopdl");
    private static final List<String> DIRECTIONS =
            List.of("", "src ", "dst ", "src or dst ", "src and dst ", "dst or src ", "dst and src ");
    private static final List<String> RELATIONS = List.of("=", "!=", "<", ">", "<=", ">=", "==");
    private static final List<String> SHIFTED = List.of("vlan", "mpls", "pppoes");
    private static final List<String> SERVICES =
            List.of("http", "domain", "https", "ssh", "bootps", "ntp", "sip", "mdns");
    private static final List<String> FLAGS =
            List.of("tcp-fin", "tcp-syn", "tcp-rst", "tcp-push", "tcp-ack", "tcp-urg", "tcp-ece", "tcp-cwr");

    private final Random random;
    private final List<Packet> packets;
    private final PacketPool pool;
    private final boolean isEthernet;

    FilterGenerator(long seed, Packets packets) {
        random = new Random(seed);
        this.packets = packets.packets;
        isEthernet = packets.linkType == LinkTypes.ETHERNET;
        pool = new PacketPool(random, LinkTypes.headerLength(packets.linkType));
    }

    String next() {
        pool.use(packets.get(random.nextInt(packets.size())).bytes());
        return expression(random.nextInt(4));
    }

    /** Generates an everyday filter: hosts, nets, ports and protocols, without bytes after the headers. */
    String everyday() {
        pool.use(packets.get(random.nextInt(packets.size())).bytes());
        String filter = everydayTerm();
        for (int more = random.nextInt(3); more > 0; more--) {
            filter += pick(" and ", " or ", " and not ") + everydayTerm();
        }
        return filter;
    }

    private String everydayTerm() {
        return switch (random.nextInt(5)) {
            case 0 -> pick("ip", "ip6", "arp", "tcp", "udp", "icmp", "icmp6");
            case 1 -> pick("", "src ", "dst ") + "host " + pool.address4();
            case 2 -> pick("", "src ", "dst ") + "net " + net(pool.address4());
            case 3 -> pick("", "tcp ", "udp ") + pick("", "src ", "dst ") + "port " + pool.port();
            default -> isEthernet ? "ether host " + pool.ethernet() : "ip proto " + pool.protocol();
        };
    }

    private String expression(int depth) {
        StringBuilder text = new StringBuilder(term(depth));
        for (int more = random.nextInt(4) - 1; more > 0; more--) {
            text.append(pick(" and ", " or ", " && ", " || ")).append(term(depth));
        }
        return text.toString();
    }

    private String term(int depth) {
        String not = random.nextInt(5) == 0 ? pick("not ", "! ", "!") : "";
        return depth > 0 && random.nextInt(3) == 0 ? not + '(' + expression(depth - 1) + ')' : not + primitive();
    }

    private String primitive() {
        return switch (random.nextInt(20)) {
            case 0, 1 -> pick(PROTOCOLS);
            case 2, 3, 4 -> address4();
            case 5, 6 -> address6();
            case 7, 8, 9 -> ports();
            case 10 ->
                pick("", "ip ", "ip6 ") + "proto "
                        + pick(String.valueOf(pool.protocol()), "\\tcp", "\\udp", "58", "44");
            case 11 -> ethernet();
            case 12 -> pick("less ", "greater ") + random.nextInt(200);
            case 13 -> pick("ip broadcast", "ip multicast", "ip6 multicast");
            case 14 -> shifted();
            case 15 ->
                "tcp[tcpflags] & (" + pick(FLAGS) + '|' + pick(FLAGS) + ") " + pick(RELATIONS) + ' '
                        + pick("0", pick(FLAGS));
            case 16 ->
                "icmp[icmptype] " + pick(RELATIONS) + ' ' + pick("icmp-echo", "icmp-unreach", "3", "icmp-echoreply");
            default -> sum(2) + ' ' + pick(RELATIONS) + ' ' + sum(1);
        };
    }

    private String shifted() {
        if (!isEthernet) {
            return pick("ip", "pppoes", "udp");
        }
        return switch (random.nextInt(8)) {
            case 0 -> "vlan " + pool.vlan();
            case 1 -> "mpls " + pool.label();
            case 2 -> "pppoed";
            case 3 -> "pppoes " + random.nextInt(20);
            case 4 -> "vlan and vlan and " + address4();
            default -> pick(SHIFTED) + " and " + pick(pick(PROTOCOLS), address4(), ports(), "ip[9] = 6");
        };
    }

    private String address4() {
        String protocol = pick("", "", "ip ", "arp ", "rarp ");
        String address = pool.address4();
        String[] parts = address.split("\\.", -1);
        return protocol
                + switch (random.nextInt(7)) {
                    case 0 -> pick(DIRECTIONS) + "net " + parts[0] + '.' + parts[1] + pick("", "." + parts[2]);
                    case 1 -> pick(DIRECTIONS) + "net " + parts[0];
                    case 2 -> pick(DIRECTIONS) + "net " + net(address);
                    case 3 -> pick(DIRECTIONS) + "net " + parts[0] + '.' + parts[1] + ".0.0 mask 255.255.0.0";
                    case 4 -> pick(DIRECTIONS) + "host " + address + pick(" or ", " and ") + pool.address4();
                    case 5 -> pick("src ", "dst ", "src or dst ") + address;
                    default -> pick(DIRECTIONS) + "host " + address;
                };
    }

    private String net(String address) {
        int bits = Address.short4(address).bits();
        int length = random.nextInt(33);
        int net = length == 0 ? 0 : bits & -1 << (32 - length);
        return (net >>> 24) + "." + (net >>> 16 & 255) + '.' + (net >>> 8 & 255) + '.' + (net & 255) + '/' + length;
    }

    private String address6() {
        String protocol = pick("", "ip6 ");
        byte[] address = pool.address6();
        int length = pick(random.nextInt(129), 128, 64, 48, 32);
        boolean isNet = length < 128 || random.nextBoolean();
        for (int i = length; i < 128; i++) {
            address[i / 8] &= (byte) ~(0x80 >> i % 8);
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 16; i += 2) {
            text.append(i == 0 ? "" : ":")
                    .append(Integer.toHexString((address[i] & 255) << 8 | (address[i + 1] & 255)));
        }
        String written = pick(text.toString(), text.toString().replaceFirst("(^|:)0(:0)+(:|$)", "::"));
        return protocol + pick(DIRECTIONS) + (isNet ? "net " + written + '/' + length : "host " + written);
    }

    private String ports() {
        String protocol = pick("", "", "tcp ", "udp ", "sctp ");
        int port = pool.port();
        return protocol
                + pick(DIRECTIONS)
                + switch (random.nextInt(6)) {
                    case 0 -> "portrange " + port + '-' + Math.min(65535, port + random.nextInt(30));
                    case 1 -> "portrange " + Math.min(65535, port + random.nextInt(3000)) + '-' + port;
                    case 2 -> "port (" + port + " or " + pool.port() + " or not " + pool.port() + ')';
                    case 3 -> "port " + port + pick(" or ", " and ") + pool.port();
                    case 4 -> "port " + (protocol.isEmpty() ? pick(SERVICES) : String.valueOf(port));
                    default -> "port " + port;
                };
    }

    private String ethernet() {
        if (!isEthernet) {
            return "ip6";
        }
        return switch (random.nextInt(6)) {
            case 0 -> "ether proto " + pool.type();
            case 1 -> "ether proto " + random.nextInt(256);
            case 2 -> "ether proto \\" + pick("ip", "arp", "ip6", "stp", "loopback");
            case 3 -> pick("broadcast", "multicast", "ether broadcast", "ether multicast");
            default -> "ether " + pick(DIRECTIONS) + pick("host ", "host ") + pool.ethernet();
        };
    }

    private String sum(int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 5)) {
            case 0 -> String.valueOf(random.nextInt(300));
            case 1 -> "0x" + Integer.toHexString(random.nextInt(70_000));
            case 2 -> "len";
            case 3, 4 -> cell(depth);
            case 5 -> '(' + sum(depth - 1) + ' ' + pick("+", "-", "*", "&", "|", "^") + ' ' + sum(depth - 1) + ')';
            case 6 -> sum(depth - 1) + ' ' + pick("+", "-", "*", "&", "|", "^", "%") + ' ' + (1 + random.nextInt(40));
            case 7 -> sum(depth - 1) + ' ' + pick("<<", ">>", "/") + ' ' + (1 + random.nextInt(31));
            default -> "- " + sum(depth - 1);
        };
    }

    private String cell(int depth) {
        String protocol = pick("ip", "tcp", "udp", "icmp", "ip6", "icmp6", "arp", "ether", "sctp", "igmp");
        String index = depth > 1 && random.nextInt(6) == 0 ? "ip[0] & 15" : String.valueOf(random.nextInt(24));
        return protocol + '[' + index + pick("", ":1", ":2", ":4") + ']';
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private int pick(int... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private <T> T pick(List<T> choices) {
        return new ArrayList<>(choices).get(random.nextInt(choices.size()));
    }
}
