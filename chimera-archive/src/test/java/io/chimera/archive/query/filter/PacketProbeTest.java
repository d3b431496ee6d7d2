package io.chimera.archive.query.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.index.key.Probe;
import io.chimera.archive.query.condition.LinkTypes;
import io.chimera.archive.query.filter.Packets.Packet;
import io.chimera.archive.query.key.KeySet;
import io.chimera.archive.query.key.PacketKeys;
import io.chimera.archive.query.text.Address;
import io.chimera.archive.query.text.QuestionException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys and probes: no matching packet is missed, and everyday filters use the index. */
final class PacketProbeTest {
    private static final int FILTERS = Integer.getInteger("chimera.filters", 200);

    @ParameterizedTest
    @ValueSource(ints = {1, 101, 113, 276, 228, 229})
    void keysOfEveryPacketThatMatchesMatchTheProbe(int linkType) {
        Packets packets = PublicCaptures.spoilt(linkType);
        List<KeySet> keys = new ArrayList<>();
        for (Packet packet : packets.packets) {
            keys.add(KeySet.of(linkType, packet));
        }
        int narrowed = 0;
        for (int i = 0; i < FILTERS; i++) {
            String text = new FilterGenerator(31L * linkType + i, packets).next();
            PacketFilter filter;
            try {
                filter = PacketFilter.compile(text, linkType);
            } catch (QuestionException e) {
                continue;
            }
            Probe probe = filter.probe();
            UnsafeBuffer buffer = new UnsafeBuffer(new byte[0]);
            for (int p = 0; p < keys.size(); p++) {
                Packet packet = packets.packets.get(p);
                buffer.wrap(packet.bytes());
                if (filter.matches(buffer, 0, packet.bytes().length, packet.length())) {
                    assertThat(keys.get(p).matches(probe))
                            .as("%s: packet %s", text, p)
                            .isTrue();
                }
            }
            narrowed += probe == Probe.all() ? 0 : 1;
        }
        assertThat(narrowed).isGreaterThan(FILTERS / 20);
    }

    @Test
    void asksForHostsNetsPortsAndProtocols() {
        assertThat(probe("src host 192.0.2.1")).isEqualTo(Probe.exact(PacketKeys.ADDRESS, host("192.0.2.1")));
        assertThat(probe("host 192.0.2.1")).isEqualTo(probe("src host 192.0.2.1"));
        assertThat(probe("src and dst host 192.0.2.1")).isEqualTo(probe("src host 192.0.2.1"));
        assertThat(probe("tcp dst port 80"))
                .isEqualTo(Probe.and(
                        Probe.range(PacketKeys.PROTOCOL, 6, 6), Probe.exact(PacketKeys.PORT, PacketKeys.port(80))));
        assertThat(probe("udp")).isEqualTo(Probe.range(PacketKeys.PROTOCOL, 17, 17));
        assertThat(probe("src net 10.1.2.0/24"))
                .isEqualTo(Probe.exact(PacketKeys.NET, net("10.1.2.0", PacketKeys.NARROW4)));
        assertThat(probe("src net 10.1.2.128/25"))
                .isEqualTo(Probe.exact(PacketKeys.NET, net("10.1.2.0", PacketKeys.NARROW4)));
        assertThat(probe("src net 10.1")).isEqualTo(Probe.exact(PacketKeys.NET, net("10.1.0.0", PacketKeys.WIDE4)));
        assertThat(probe("src net 10.2.0.0/15"))
                .isEqualTo(Probe.or(
                        Probe.exact(PacketKeys.NET, net("10.2.0.0", PacketKeys.WIDE4)),
                        Probe.exact(PacketKeys.NET, net("10.3.0.0", PacketKeys.WIDE4))));
    }

    @Test
    void asksForBothEndsAtOnceWhereTheyAreKnown() {
        String text = "src host 192.0.2.1 and dst host 192.0.2.2 and tcp src port 1000 and dst port 80";
        long hash = PacketKeys.tuple(host("192.0.2.1"), host("192.0.2.2"), 1000, 80, 6);
        assertThat(probe(text).toString())
                .contains(Probe.exact(PacketKeys.TUPLE, hash).toString());
        assertThat(PacketKeys.tuple(host("192.0.2.2"), host("192.0.2.1"), 80, 1000, 6))
                .isEqualTo(hash);
        assertThat(PacketKeys.tuple(host("192.0.2.1"), host("192.0.2.2"), 80, 1000, 6))
                .isNotEqualTo(hash);
    }

    @Test
    void asksForHostsThatOpenConnectionsWhereOnlySynMatches() {
        String opening = Probe.exact(PacketKeys.OPENING, host("192.0.2.1")).toString();
        for (String text : List.of(
                "host 192.0.2.1 and tcp[tcpflags] & (tcp-syn|tcp-ack) == tcp-syn",
                "src host 192.0.2.1 and tcp[13] = 2",
                "tcp[tcpflags] & tcp-syn != 0 and dst host 192.0.2.1",
                "vlan and host 192.0.2.1 and tcp[tcpflags] & tcp-syn == tcp-syn")) {
            assertThat(probe(text).toString()).as(text).contains(opening);
        }
        for (String text : List.of(
                "host 192.0.2.1 and tcp[tcpflags] & (tcp-syn|tcp-ack) != 0",
                "host 192.0.2.1 and tcp[tcpflags] & tcp-syn == 0",
                "host 192.0.2.1 and tcp[tcpflags] & tcp-syn <= 0",
                "host 192.0.2.1 and tcp[13] != 2",
                "host 192.0.2.1 and not tcp[13] = 2",
                "host 192.0.2.1 and tcp[13] = 16",
                "host 192.0.2.1 and tcp[12:2] = 2",
                "host 192.0.2.1 and udp[13] = 2",
                "host 192.0.2.1 and tcp and ip[33] = 2",
                "host 192.0.2.1 or tcp[13] = 2",
                "vlan or host 192.0.2.1 and tcp[13] = 2")) {
            assertThat(probe(text).toString()).as(text).doesNotContain(opening);
        }
    }

    @Test
    void widensWhatItHasNoKeyFor() {
        for (String text : List.of(
                "",
                "not host 192.0.2.1",
                "ether host 0:0:5e:0:53:1",
                "host 192.0.2.1 or len > 100",
                "net 10",
                "arp",
                "portrange 1-1000",
                "vlan",
                "ip[8] = 1")) {
            assertThat(probe(text)).as(text).isEqualTo(Probe.all());
        }
        assertThat(probe("host 192.0.2.1 and len > 100")).isEqualTo(probe("host 192.0.2.1"));
    }

    @Test
    void asksBehindTagsOnlyWhereTheTagIsCertain() {
        assertThat(probe("vlan and host 192.0.2.1")).isEqualTo(probe("host 192.0.2.1"));
        assertThat(probe("vlan 5 and vlan 6 and mpls and host 192.0.2.1")).isEqualTo(probe("ip host 192.0.2.1"));
        assertThat(probe("vlan or host 192.0.2.1")).isEqualTo(Probe.all());
        assertThat(probe("(vlan or tcp) and host 192.0.2.1")).isEqualTo(Probe.all());
        assertThat(probe("not vlan and host 192.0.2.1")).isEqualTo(Probe.all());
    }

    @Test
    void asksNothingBehindMoreTagsThanKeysLookBehind() {
        String tags = "vlan and ".repeat(PacketKeys.SHIFTS_MAX);
        assertThat(probe(tags + "host 192.0.2.1")).isEqualTo(probe("host 192.0.2.1"));
        assertThat(probe(tags + "vlan and host 192.0.2.1")).isEqualTo(Probe.all());
        assertThat(probe(tags + "vlan and vlan and host 192.0.2.1")).isEqualTo(Probe.all());
    }

    @Test
    void keysAreAddedOnceWhereTheIndexRemembersThem() {
        Packets packets = PublicCaptures.of(LinkTypes.ETHERNET);
        KeySet keys = new KeySet();
        PacketKeys adder = new PacketKeys(LinkTypes.ETHERNET, keys);
        UnsafeBuffer buffer = new UnsafeBuffer(BufferUtil.allocateDirectAligned(65536, 8));
        for (Packet packet : packets.packets) {
            buffer.putBytes(0, packet.bytes());
            adder.add(buffer.addressOffset(), packet.bytes().length);
        }
        KeySet all = new KeySet();
        packets.packets.forEach(packet -> all.addAll(KeySet.of(LinkTypes.ETHERNET, packet)));
        assertThat(keys).isEqualTo(all);
    }

    private static Probe probe(String text) {
        return PacketFilter.compile(text, LinkTypes.ETHERNET).probe();
    }

    private static long host(String text) {
        Address address = Address.of4(Address.short4(text).bits());
        return PacketKeys.hash(address.high(), address.low());
    }

    private static long net(String text, int bits) {
        Address address = Address.of4(Address.short4(text).bits());
        return PacketKeys.net(address.high(), address.low(), bits);
    }
}
