package io.chimera.archive.query.filter;

import io.chimera.archive.query.condition.Condition;
import io.chimera.archive.query.condition.Condition.Hinted;
import io.chimera.archive.query.condition.Condition.Test;
import io.chimera.archive.query.condition.Direction;
import io.chimera.archive.query.condition.FrameNumber;
import io.chimera.archive.query.condition.Hint;
import io.chimera.archive.query.condition.Relation;
import io.chimera.archive.query.text.Address;
import io.chimera.archive.query.text.Protocol;
import io.chimera.archive.query.text.QuestionException;
import java.util.ArrayList;
import java.util.List;

/**
 * Creates the conditions for protocols, addresses, ports and lengths of a filter. Fields and order of the checks follow
 * libpcap.
 */
final class PacketTerms {
    private static final int FRAGMENT = 44;
    private static final int OFFSET_BITS = 0x1FFF;
    private static final int PORT_MAX = 65535;
    private static final List<Protocol> WITH_PORTS = List.of(Protocol.SCTP, Protocol.TCP, Protocol.UDP);

    private final Layout layout;

    PacketTerms(Layout layout) {
        this.layout = layout;
    }

    // Protocols

    /** Matches packets of a protocol. */
    Condition protocol(Protocol protocol) {
        if (protocol == Protocol.LINK) {
            throw new QuestionException(
                    "A link layer alone is not a condition; write 'ether host', 'ether proto' or 'ether[...]'.");
        }
        if (!protocol.isOnIp()) {
            return layout.carries(protocol.linkProtocol());
        }
        int number = protocol.ipProtocol();
        if (protocol.isIn4() && protocol.isIn6()) {
            return ipProtocol(Protocol.ANY, number);
        }
        return ipProtocol(protocol.isIn4() ? Protocol.IP : Protocol.IP6, number);
    }

    /** Matches packets by protocol number. */
    Condition number(Qualifier qualifier, int number) {
        if (qualifier.direction() != null) {
            throw new QuestionException("A protocol has no direction; omit 'src' or 'dst'.");
        }
        return switch (qualifier.protocol()) {
            case ANY, IP, IP6 -> ipProtocol(qualifier.protocol(), number);
            case LINK -> layout.carries(number);
            default ->
                throw new QuestionException("'" + qualifier.protocol().word()
                        + " proto' is not supported; write 'ip proto', 'ip6 proto', 'ether proto' or 'proto'.");
        };
    }

    private Condition ipProtocol(Protocol version, int number) {
        Condition is4 = Condition.all(carries4(), Condition.equal(layout.network(9, 1), number));
        Condition isNext = Condition.equal(layout.network(6, 1), number);
        Condition isBehindFragment = Condition.all(
                Condition.equal(layout.network(6, 1), FRAGMENT), Condition.equal(layout.network(40, 1), number));
        Condition is6 = Condition.all(carries6(), Condition.any(isNext, isBehindFragment));
        Condition is = version == Protocol.IP ? is4 : version == Protocol.IP6 ? is6 : Condition.any(is4, is6);
        return new Hinted(is, new Hint.Carried(layout.shifts(), number));
    }

    Condition carries4() {
        return layout.carries(Protocol.IP.linkProtocol());
    }

    Condition carries6() {
        return layout.carries(Protocol.IP6.linkProtocol());
    }

    Condition isFirstFragment() {
        return new Condition.Not(new Test(layout.network(6, 2), -1, Relation.ANY_BIT, OFFSET_BITS));
    }

    // Addresses

    /** Matches hosts or nets of IPv4, also in ARP and RARP. */
    Condition address4(Qualifier qualifier, int bits, int mask) {
        Condition is =
                switch (qualifier.protocol()) {
                    case ANY ->
                        layout.isInLabels()
                                ? address4(qualifier, Protocol.IP, bits, mask)
                                : Condition.any(
                                        address4(qualifier, Protocol.IP, bits, mask),
                                        address4(qualifier, Protocol.ARP, bits, mask),
                                        address4(qualifier, Protocol.RARP, bits, mask));
                    case IP, ARP, RARP -> address4(qualifier, qualifier.protocol(), bits, mask);
                    default ->
                        throw new QuestionException("'" + qualifier.protocol().word()
                                + "' has no addresses of IPv4; write 'ip', 'arp', 'rarp' or nothing, joined by 'and'.");
                };
        Address address = Address.of4(bits);
        int ones = Integer.numberOfLeadingZeros(~mask);
        return new Hinted(
                is, new Hint.Address(layout.shifts(), qualifier.end(), address.high(), address.low(), 96 + ones));
    }

    private Condition address4(Qualifier qualifier, Protocol protocol, int bits, int mask) {
        boolean isIp = protocol == Protocol.IP;
        Condition carries = layout.carries(protocol.linkProtocol());
        Condition source = Condition.all(carries, Condition.masked(layout.network(isIp ? 12 : 14, 4), mask, bits));
        Condition destination = Condition.all(carries, Condition.masked(layout.network(isIp ? 16 : 24, 4), mask, bits));
        return Condition.of(qualifier.end(), source, destination);
    }

    /** Matches hosts or nets of IPv6. */
    Condition address6(Qualifier qualifier, Address address, int bits) {
        if (qualifier.protocol() != Protocol.ANY && qualifier.protocol() != Protocol.IP6) {
            throw new QuestionException("'" + qualifier.protocol().word()
                    + "' has no addresses of IPv6; write 'ip6' or nothing, joined by 'and'.");
        }
        Condition is = Condition.of(qualifier.end(), address6(address, bits, 8), address6(address, bits, 24));
        return new Hinted(is, new Hint.Address(layout.shifts(), qualifier.end(), address.high(), address.low(), bits));
    }

    private Condition address6(Address address, int bits, int at) {
        List<Condition> parts = new ArrayList<>();
        parts.add(carries6());
        for (int word = 0; word < 4; word++) {
            int ones = Math.max(0, Math.min(32, bits - 32 * word));
            int mask = ones == 0 ? 0 : -1 << (32 - ones);
            parts.add(Condition.masked(layout.network(at + 4 * word, 4), mask, address.word(word)));
        }
        return Condition.all(parts.toArray(Condition[]::new));
    }

    /** Matches Ethernet addresses. */
    Condition ethernet(Direction direction, long address) {
        if (!layout.isEthernet()) {
            throw new QuestionException("Only Ethernet frames have such addresses; omit the term for this stream.");
        }
        return Condition.of(direction, ethernetAt(6, address), ethernetAt(0, address));
    }

    private Condition ethernetAt(int at, long address) {
        return Condition.all(
                Condition.equal(layout.header(at + 2, 4), (int) address),
                Condition.equal(layout.header(at, 2), (int) (address >>> 32)));
    }

    Condition broadcast(Protocol protocol) {
        if (protocol == Protocol.IP) {
            return Condition.all(
                    carries4(),
                    Condition.any(
                            Condition.equal(layout.network(16, 4), 0), Condition.equal(layout.network(16, 4), -1)));
        }
        requireLink(protocol, "broadcast");
        return ethernet(Direction.DESTINATION, 0xFFFF_FFFF_FFFFL);
    }

    Condition multicast(Protocol protocol) {
        if (protocol == Protocol.IP) {
            return Condition.all(carries4(), new Test(layout.network(16, 1), -1, Relation.GREATER_OR_EQUAL, 224));
        }
        if (protocol == Protocol.IP6) {
            return Condition.all(carries6(), Condition.equal(layout.network(24, 1), 255));
        }
        requireLink(protocol, "multicast");
        return new Test(layout.header(0, 1), -1, Relation.ANY_BIT, 1);
    }

    private void requireLink(Protocol protocol, String what) {
        if ((protocol != Protocol.ANY && protocol != Protocol.LINK) || !layout.isEthernet()) {
            throw new QuestionException("'" + what + "' exists for Ethernet and IP: write '" + what + "' for frames of"
                    + " Ethernet, or 'ip " + what + "'.");
        }
    }

    // Ports

    /** Matches a range of ports of TCP, UDP and SCTP, or of one of these protocols. */
    Condition ports(Qualifier qualifier, Protocol carrier, int first, int last) {
        if (Integer.compareUnsigned(first, PORT_MAX) > 0 || Integer.compareUnsigned(last, PORT_MAX) > 0) {
            throw new QuestionException("Ports end at " + PORT_MAX + '.');
        }
        if (carrier != Protocol.ANY && !carrier.hasPorts()) {
            throw new QuestionException(
                    "'" + carrier.word() + "' has no ports; write 'tcp', 'udp', 'sctp' or nothing.");
        }
        int lowest = Math.min(first, last);
        int highest = Math.max(first, last);
        List<Condition> of4 = new ArrayList<>();
        List<Condition> of6 = new ArrayList<>();
        for (Protocol protocol : carrier == Protocol.ANY ? WITH_PORTS : List.of(carrier)) {
            of4.add(Condition.all(
                    Condition.equal(layout.network(9, 1), protocol.ipProtocol()),
                    isFirstFragment(),
                    Condition.of(
                            qualifier.end(),
                            range(layout.behindIpv4(0, 2), lowest, highest),
                            range(layout.behindIpv4(2, 2), lowest, highest))));
            of6.add(Condition.all(
                    Condition.equal(layout.network(6, 1), protocol.ipProtocol()),
                    Condition.of(
                            qualifier.end(),
                            range(layout.network(40, 2), lowest, highest),
                            range(layout.network(42, 2), lowest, highest))));
        }
        Condition is = Condition.any(
                Condition.all(carries6(), Condition.any(of6.toArray(Condition[]::new))),
                Condition.all(carries4(), Condition.any(of4.toArray(Condition[]::new))));
        Condition hinted = new Hinted(is, new Hint.Ports(layout.shifts(), qualifier.end(), lowest, highest));
        return carrier == Protocol.ANY
                ? hinted
                : new Hinted(hinted, new Hint.Carried(layout.shifts(), carrier.ipProtocol()));
    }

    private static Condition range(FrameNumber port, int first, int last) {
        if (first == last) {
            return Condition.equal(port, first);
        }
        return Condition.all(
                new Test(port, -1, Relation.GREATER_OR_EQUAL, first),
                new Condition.Not(new Test(port, -1, Relation.GREATER, last)));
    }
}
