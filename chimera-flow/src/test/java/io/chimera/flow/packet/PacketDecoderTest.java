package io.chimera.flow.packet;

import static io.chimera.flow.packet.PacketBuilder.ACK;
import static io.chimera.flow.packet.PacketBuilder.IPV4;
import static io.chimera.flow.packet.PacketBuilder.IPV6;
import static io.chimera.flow.packet.PacketBuilder.MPLS;
import static io.chimera.flow.packet.PacketBuilder.PROVIDER_VLAN;
import static io.chimera.flow.packet.PacketBuilder.SYN;
import static io.chimera.flow.packet.PacketBuilder.VLAN;
import static io.chimera.flow.packet.PacketBuilder.ethernet;
import static io.chimera.flow.packet.PacketBuilder.extension;
import static io.chimera.flow.packet.PacketBuilder.fragment;
import static io.chimera.flow.packet.PacketBuilder.icmp;
import static io.chimera.flow.packet.PacketBuilder.ipv4;
import static io.chimera.flow.packet.PacketBuilder.ipv6;
import static io.chimera.flow.packet.PacketBuilder.join;
import static io.chimera.flow.packet.PacketBuilder.label;
import static io.chimera.flow.packet.PacketBuilder.tag;
import static io.chimera.flow.packet.PacketBuilder.tcp;
import static io.chimera.flow.packet.PacketBuilder.u16;
import static io.chimera.flow.packet.PacketBuilder.udp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.metrics.AllocatedBytes;
import java.nio.ByteBuffer;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PacketDecoderTest {
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final byte[] NOTHING = {};
    private static final byte[] DATA = new byte[100];

    private static byte[] tcp4() {
        return ipv4("10.0.0.1", "10.0.0.2", TCP, tcp(1234, 80, SYN | ACK, DATA));
    }

    private static byte[] udp6() {
        return ipv6("2001:db8::1", "2001:db8::2", UDP, udp(5353, 53, DATA));
    }

    private static byte[] sourceOf(PacketTuple tuple) {
        UnsafeBuffer address = new UnsafeBuffer(new byte[16]);
        tuple.sourceAddress(address, 0);
        return address.byteArray();
    }

    private static byte[] destinationOf(PacketTuple tuple) {
        UnsafeBuffer address = new UnsafeBuffer(new byte[16]);
        tuple.destinationAddress(address, 0);
        return address.byteArray();
    }

    @Test
    void readsTcpOverIpv4() {
        byte[] frame = ethernet(IPV4, tcp4());

        PacketTuple tuple = Decoded.of(frame);

        assertThat(tuple.outcome()).isEqualTo(PacketOutcome.IP);
        assertThat(sourceOf(tuple)).isEqualTo(join("00000000000000000000ffff0a000001"));
        assertThat(destinationOf(tuple)).isEqualTo(join("00000000000000000000ffff0a000002"));
        assertThat(tuple.sourcePort()).isEqualTo(1234);
        assertThat(tuple.destinationPort()).isEqualTo(80);
        assertThat(tuple.protocol()).isEqualTo(TCP);
        assertThat(tuple.ipVersion()).isEqualTo(4);
        assertThat(tuple.tcpFlags()).isEqualTo(SYN | ACK);
        assertThat(tuple.ipBytes()).isEqualTo(140);
        assertThat(tuple.wireBytes()).isEqualTo(154);
        assertThat(tuple.timeNs()).isEqualTo(Decoded.TIME_NS);
        assertThat(tuple.vlan()).isZero();
        assertThat(tuple.flags()).isZero();
        assertThat(tuple.tunnel()).isZero();
    }

    @Test
    void readsUdpOverIpv6() {
        PacketTuple tuple = Decoded.of(ethernet(IPV6, udp6()));

        assertThat(tuple.outcome()).isEqualTo(PacketOutcome.IP);
        assertThat(sourceOf(tuple)).isEqualTo(PacketBuilder.address("2001:db8::1"));
        assertThat(destinationOf(tuple)).isEqualTo(PacketBuilder.address("2001:db8::2"));
        assertThat(tuple.sourcePort()).isEqualTo(5353);
        assertThat(tuple.destinationPort()).isEqualTo(53);
        assertThat(tuple.ipVersion()).isEqualTo(6);
        assertThat(tuple.ipBytes()).isEqualTo(148);
    }

    @Test
    void doesNotTakePaddingForPorts() {
        byte[] empty = ipv4("10.0.0.1", "10.0.0.2", UDP, NOTHING);

        assertThat(Decoded.of(ethernet(IPV4, join(empty, new byte[26]))).outcome())
                .isEqualTo(PacketOutcome.TRANSPORT_TRUNCATED);
    }

    @Test
    void takesTheRestOfTheFrameWhereIpSaysNoLength() {
        byte[] packet = tcp4();
        packet[2] = 0;
        packet[3] = 0;

        assertThat(Decoded.of(ethernet(IPV4, packet)).ipBytes()).isEqualTo(140);
    }

    @ParameterizedTest
    @CsvSource({"132", "33", "136"})
    void readsPortsOfSctpDccpAndUdpLite(int protocol) {
        PacketTuple tuple = Decoded.of(ethernet(IPV4, ipv4("1.1.1.1", "2.2.2.2", protocol, udp(7, 9, NOTHING))));

        assertThat(tuple.sourcePort()).isEqualTo(7);
        assertThat(tuple.destinationPort()).isEqualTo(9);
    }

    @Test
    void hasNoPortsForOtherProtocols() {
        PacketTuple tuple = Decoded.of(ethernet(IPV4, ipv4("1.1.1.1", "2.2.2.2", 89, NOTHING)));

        assertThat(tuple.outcome()).isEqualTo(PacketOutcome.IP);
        assertThat(tuple.sourcePort()).isZero();
        assertThat(tuple.destinationPort()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"8,0,4,0,2048", "0,0,4,2048,0", "3,1,4,0,769", "14,0,4,3328,0", "128,0,6,0,32768", "129,0,6,32768,0"})
    void givesIcmpRepliesThePortsOfTheirRequestsTheOtherWayRound(
            int type, int code, int version, int sourcePort, int destinationPort) {
        byte[] frame = version == 4
                ? ethernet(IPV4, ipv4("1.1.1.1", "2.2.2.2", 1, icmp(type, code)))
                : ethernet(IPV6, ipv6("::1", "::2", 58, icmp(type, code)));

        PacketTuple tuple = Decoded.of(frame);

        assertThat(tuple.icmpType()).isEqualTo(type);
        assertThat(tuple.icmpCode()).isEqualTo(code);
        assertThat(tuple.sourcePort()).isEqualTo(sourcePort);
        assertThat(tuple.destinationPort()).isEqualTo(destinationPort);
    }

    // Below IP

    @Test
    void readsTwoVlanTags() {
        PacketTuple tuple = Decoded.of(ethernet(PROVIDER_VLAN, tag(100, VLAN, tag(7, VLAN, tag(8, IPV4, tcp4())))));

        assertThat(tuple.vlan()).isEqualTo(100);
        assertThat(tuple.customerVlan()).isEqualTo(7);
        assertThat(tuple.destinationPort()).isEqualTo(80);
    }

    @Test
    void takesTheTagThatWasTakenOffForTheOutermost() {
        byte[] frame = ethernet(VLAN, tag(7, IPV4, tcp4()));

        PacketTuple tuple = new Decoded(new PacketDecoder(LinkLayer.ETHERNET, false))
                .decode(frame, frame.length, (byte) 0, 0x6064, PROVIDER_VLAN);

        assertThat(tuple.vlan()).isEqualTo(100);
        assertThat(tuple.customerVlan()).isEqualTo(7);
    }

    @Test
    void readsMplsLabels() {
        PacketTuple four = Decoded.of(ethernet(MPLS, label(1000, false, label(1001, true, tcp4()))));
        PacketTuple six = Decoded.of(ethernet(VLAN, tag(5, MPLS, label(1002, true, udp6()))));
        PacketTuple ethernet = Decoded.of(ethernet(MPLS, label(1003, true, join("00000000", ethernet(IPV4, tcp4())))));

        assertThat(four.mplsLabel()).isEqualTo(1000);
        assertThat(four.ipVersion()).isEqualTo(4);
        assertThat(six.mplsLabel()).isEqualTo(1002);
        assertThat(six.vlan()).isEqualTo(5);
        assertThat(six.ipVersion()).isEqualTo(6);
        assertThat(ethernet.destinationPort()).isEqualTo(80);
    }

    @Test
    void readsPppOverEthernetAndSnap() {
        byte[] session = join("1100 0001", u16(tcp4().length + 2), "0021", tcp4());
        byte[] snap = join("AAAA03 000000 0800", tcp4());

        assertThat(Decoded.of(ethernet(0x8864, session)).destinationPort()).isEqualTo(80);
        assertThat(Decoded.of(ethernet(snap.length, snap)).destinationPort()).isEqualTo(80);
    }

    @Test
    void saysThatOtherFramesAreNotIp() {
        assertThat(Decoded.of(ethernet(0x0806, new byte[28])).outcome()).isEqualTo(PacketOutcome.NOT_IP);
        assertThat(Decoded.of(ethernet(38, new byte[38])).outcome()).isEqualTo(PacketOutcome.NOT_IP);
    }

    @Test
    void readsOtherLinkLayers() {
        byte[] cooked = join("0000 0001 0006 020000000001 0000");
        assertThat(port(LinkLayer.RAW, tcp4())).isEqualTo(80);
        assertThat(port(LinkLayer.RAW, udp6())).isEqualTo(53);
        assertThat(port(LinkLayer.IPV4, tcp4())).isEqualTo(80);
        assertThat(port(LinkLayer.IPV6, udp6())).isEqualTo(53);
        assertThat(port(LinkLayer.LINUX_SLL, join(cooked, u16(IPV4), tcp4()))).isEqualTo(80);
        assertThat(port(LinkLayer.LINUX_SLL2, join(u16(IPV6), new byte[18], udp6())))
                .isEqualTo(53);
        assertThat(port(LinkLayer.NULL, join("02000000", tcp4()))).isEqualTo(80);
        assertThat(port(LinkLayer.NULL, join("1E000000", udp6()))).isEqualTo(53);
        assertThat(port(LinkLayer.LOOP, join("00000018", udp6()))).isEqualTo(53);
        assertThat(port(LinkLayer.PPP, join("FF03 0021", tcp4()))).isEqualTo(80);
        assertThat(port(LinkLayer.PPP, join("21", tcp4()))).isEqualTo(80);
        assertThat(port(LinkLayer.PPP_SERIAL, join("0F00", u16(IPV4), tcp4()))).isEqualTo(80);
        assertThat(port(LinkLayer.CISCO_HDLC, join("0F00", u16(IPV6), udp6()))).isEqualTo(53);
    }

    private static int port(int linkType, byte[] frame) {
        PacketTuple tuple = new Decoded(new PacketDecoder(linkType, false)).decode(frame);
        assertThat(tuple.outcome()).isEqualTo(PacketOutcome.IP);
        return tuple.destinationPort();
    }

    @Test
    void refusesLinkTypesThatItDoesNotKnow() {
        assertThat(PacketDecoder.isKnown(127)).isFalse();
        assertThatThrownBy(() -> new PacketDecoder(127, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("link type 127");
    }

    // Fragments and extension headers

    @Test
    void keysLaterFragmentsByAddressesOnly() {
        byte[] payload = udp(1000, 2000, DATA);
        PacketTuple first = Decoded.of(ethernet(IPV4, ipv4("1.1.1.1", "2.2.2.2", UDP, 0x2000, payload)));
        PacketTuple later = Decoded.of(ethernet(IPV4, ipv4("1.1.1.1", "2.2.2.2", UDP, 13, payload)));

        assertThat(first.destinationPort()).isEqualTo(2000);
        assertThat(first.flags()).isEqualTo(PacketTuple.FLAG_FRAGMENT);
        assertThat(later.destinationPort()).isZero();
        assertThat(later.sourcePort()).isZero();
        assertThat(later.protocol()).isEqualTo(UDP);
        assertThat(later.flags()).isEqualTo(PacketTuple.FLAG_FRAGMENT | PacketTuple.FLAG_LATER_FRAGMENT);
    }

    @Test
    void keysLaterFragmentsOfIpv6ByAddressesOnly() {
        byte[] payload = udp(1000, 2000, DATA);
        PacketTuple first = Decoded.of(ethernet(IPV6, ipv6("::1", "::2", 44, fragment(UDP, 0, true, payload))));
        PacketTuple later = Decoded.of(ethernet(IPV6, ipv6("::1", "::2", 44, fragment(UDP, 9, false, payload))));

        assertThat(first.destinationPort()).isEqualTo(2000);
        assertThat(first.flags()).isEqualTo(PacketTuple.FLAG_FRAGMENT);
        assertThat(later.destinationPort()).isZero();
        assertThat(later.protocol()).isEqualTo(UDP);
        assertThat(later.flags()).isEqualTo(PacketTuple.FLAG_FRAGMENT | PacketTuple.FLAG_LATER_FRAGMENT);
    }

    @Test
    void goesThroughExtensionHeaders() {
        byte[] payload = extension(43, extension(51, join(60, 1, new byte[10], extension(UDP, udp(1, 2, NOTHING)))));

        PacketTuple tuple = Decoded.of(ethernet(IPV6, ipv6("::1", "::2", 0, payload)));

        assertThat(tuple.outcome()).isEqualTo(PacketOutcome.IP);
        assertThat(tuple.protocol()).isEqualTo(UDP);
        assertThat(tuple.destinationPort()).isEqualTo(2);
    }

    @Test
    void followsSoManyExtensionHeadersOnly() {
        byte[] payload = udp(1, 2, NOTHING);
        for (int i = 0; i < 17; i++) {
            payload = extension(i == 0 ? UDP : 60, payload);
        }

        assertThat(Decoded.of(ethernet(IPV6, ipv6("::1", "::2", 60, payload))).outcome())
                .isEqualTo(PacketOutcome.EXTENSIONS_TOO_MANY);
    }

    // Damaged packets

    @Test
    void namesWhereAFrameEndsTooEarly() {
        byte[] frame = ethernet(VLAN, tag(1, IPV6, ipv6("::1", "::2", 60, extension(TCP, tcp(1, 2, SYN, DATA)))));
        Decoded decoded = new Decoded(new PacketDecoder(LinkLayer.ETHERNET, false));

        assertThat(decoded.decode(frame, 13, (byte) 0, 0, 0).outcome()).isEqualTo(PacketOutcome.LINK_TRUNCATED);
        assertThat(decoded.decode(frame, 17, (byte) 0, 0, 0).outcome()).isEqualTo(PacketOutcome.TAG_TRUNCATED);
        assertThat(decoded.decode(frame, 57, (byte) 0, 0, 0).outcome()).isEqualTo(PacketOutcome.IP_TRUNCATED);
        assertThat(decoded.decode(frame, 65, (byte) 0, 0, 0).outcome()).isEqualTo(PacketOutcome.EXTENSION_TRUNCATED);
        assertThat(decoded.decode(frame, 69, (byte) 0, 0, 0).outcome()).isEqualTo(PacketOutcome.TRANSPORT_TRUNCATED);
        assertThat(decoded.decode(frame, 70, (byte) 0, 0, 0).outcome()).isEqualTo(PacketOutcome.IP);
    }

    @Test
    void namesHeadersThatMakeNoSense() {
        byte[] otherVersion = tcp4();
        otherVersion[0] = 0x55;
        byte[] shortHeader = tcp4();
        shortHeader[0] = 0x44;
        byte[] shortTotal = tcp4();
        shortTotal[2] = 0;
        shortTotal[3] = 19;

        assertThat(Decoded.of(ethernet(IPV4, otherVersion)).outcome()).isEqualTo(PacketOutcome.IP_HEADER_BAD);
        assertThat(Decoded.of(ethernet(IPV4, shortHeader)).outcome()).isEqualTo(PacketOutcome.IP_HEADER_BAD);
        assertThat(Decoded.of(ethernet(IPV4, shortTotal)).outcome()).isEqualTo(PacketOutcome.IP_LENGTH_BAD);
        assertThat(Decoded.of(ethernet(IPV6, tcp4())).outcome()).isEqualTo(PacketOutcome.IP_HEADER_BAD);
    }

    @Test
    void followsSoManyTagsOnly() {
        byte[] payload = tag(1, IPV4, tcp4());
        for (int i = 0; i < 16; i++) {
            payload = tag(1, VLAN, payload);
        }

        assertThat(Decoded.of(ethernet(VLAN, payload)).outcome()).isEqualTo(PacketOutcome.TAGS_TOO_MANY);
    }

    // Tunnels

    private static List<byte[]> tunnels() {
        byte[] vxlan = join("08000000 00002A00", ethernet(IPV4, tcp4()));
        byte[] gtp = join("30FF", u16(tcp4().length), "0000002A", tcp4());
        byte[] gtpWithExtension = join("36FF", u16(tcp4().length + 8), "0000002A 00000085 01000000", tcp4());
        return List.of(
                ipv4("1.1.1.1", "2.2.2.2", 47, join("0000 0800", tcp4())),
                ipv4("1.1.1.1", "2.2.2.2", 47, join("3000 6558 0000002A 00000001", ethernet(IPV4, tcp4()))),
                ipv4("1.1.1.1", "2.2.2.2", 47, join("3081 880B 0008002A 00000001 00000001", "FF03 0021", tcp4())),
                ipv4("1.1.1.1", "2.2.2.2", UDP, udp(1000, 4789, vxlan)),
                ipv4("1.1.1.1", "2.2.2.2", UDP, udp(2152, 2152, gtp)),
                ipv4("1.1.1.1", "2.2.2.2", UDP, udp(2152, 2152, gtpWithExtension)),
                ipv4("1.1.1.1", "2.2.2.2", 4, tcp4()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void keysTunnelsByOutsideOrInside(int number) {
        byte[] frame = ethernet(VLAN, tag(9, IPV4, tunnels().get(number)));
        List<Integer> kinds = List.of(1, 1, 1, 2, 3, 3, 4);

        PacketTuple outside = Decoded.of(frame);
        PacketTuple inside = Decoded.inside(frame);

        assertThat(sourceOf(outside)).endsWith(1, 1, 1, 1);
        assertThat(outside.tunnel()).isZero();
        assertThat(sourceOf(inside)).endsWith(10, 0, 0, 1);
        assertThat(inside.destinationPort()).isEqualTo(80);
        assertThat(inside.tcpFlags()).isEqualTo(SYN | ACK);
        assertThat(inside.tunnel()).isEqualTo(kinds.get(number));
        assertThat(inside.tunnelId()).isEqualTo(number == 0 || number == 6 ? 0 : 42);
        assertThat(inside.vlan()).isEqualTo(9);
        assertThat(inside.ipBytes()).isEqualTo(140);
        assertThat(inside.wireBytes()).isEqualTo(frame.length);
    }

    @Test
    void goesThroughTunnelsInTunnels() {
        byte[] sixInFour = ipv4("1.1.1.1", "2.2.2.2", 41, ipv6("::1", "::2", 47, join("0000 86DD", udp6())));

        PacketTuple tuple = Decoded.inside(ethernet(IPV4, sixInFour));

        assertThat(tuple.destinationPort()).isEqualTo(53);
        assertThat(tuple.tunnel()).isEqualTo(PacketTuple.TUNNEL_GRE);
    }

    @Test
    void fallsBackToTheOutsideOfATunnelThatCannotBeRead() {
        byte[] damaged = ipv4("1.1.1.1", "2.2.2.2", 47, join("0000 0800", "45"));
        byte[] unknown = ipv4("1.1.1.1", "2.2.2.2", 47, join("0000 1234", "45"));

        for (byte[] packet : List.of(damaged, unknown)) {
            PacketTuple tuple = Decoded.inside(ethernet(IPV4, packet));
            assertThat(tuple.outcome()).isEqualTo(PacketOutcome.IP);
            assertThat(sourceOf(tuple)).endsWith(1, 1, 1, 1);
            assertThat(tuple.protocol()).isEqualTo(47);
            assertThat(tuple.flags()).isEqualTo(PacketTuple.FLAG_TUNNEL_UNREAD);
        }
    }

    @Test
    void allocatesNothing() {
        List<byte[]> frames = List.of(
                ethernet(IPV4, tcp4()),
                ethernet(IPV6, udp6()),
                ethernet(VLAN, tag(1, IPV4, tunnels().get(3))),
                ethernet(IPV4, new byte[3]));
        Batch batch = new Batch(frames);

        assertThat(AllocatedBytes.of(batch::decode)).isZero();
    }

    /** Batch of frames in memory. */
    private static final class Batch {
        private final long[] addresses;
        private final int[] lengths;
        private final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(1 << 16));
        private final PacketDecoder decoder = new PacketDecoder(LinkLayer.ETHERNET, true);

        Batch(List<byte[]> frames) {
            addresses = new long[frames.size()];
            lengths = new int[frames.size()];
            int at = PacketTuple.LENGTH;
            for (int i = 0; i < lengths.length; i++) {
                memory.putBytes(at, frames.get(i));
                addresses[i] = memory.addressOffset() + at;
                lengths[i] = frames.get(i).length;
                at += lengths[i];
            }
        }

        void decode() {
            for (int i = 0; i < 256; i++) {
                int n = i & 3;
                decoder.decode(addresses[n], lengths[n], lengths[n], i, 0, 0, memory.addressOffset());
            }
        }
    }
}
