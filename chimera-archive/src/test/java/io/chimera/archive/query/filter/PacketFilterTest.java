package io.chimera.archive.query.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.query.condition.LinkTypes;
import io.chimera.archive.query.text.Address;
import io.chimera.archive.query.text.QuestionException;
import java.nio.ByteBuffer;
import java.util.List;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Meaning of filters, and messages for invalid filters. TcpdumpIT compares the meaning with libpcap. */
final class PacketFilterTest {
    private static final byte[] SYN = frame("10.1.2.3", "192.0.2.9", 6, 40_000, 80, 2);
    private static final byte[] DNS = frame("10.1.2.3", "192.0.2.53", 17, 5_353, 53, 0);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "tcp",
                "ip and tcp",
                "tcp port 80",
                "tcp port 80 or 443",
                "port http",
                "tcp dst port (443 or 80)",
                "tcp portrange 79-81",
                "src net 10.1",
                "net 10.1.0.0/16",
                "net 10.1.0.0 mask 255.255.0.0",
                "net 10",
                "src host 10.1.2.3 and dst 192.0.2.9",
                "src or dst host 192.0.2.9",
                "tcp[tcpflags] & tcp-syn != 0",
                "tcp[13] = 2",
                "ip[2:2] = len - 14",
                "ether[12:2] == 0x800",
                "ip proto \\tcp",
                "proto 6",
                "not udp",
                "! udp && !arp",
                "greater 54 and less 54",
                "((((tcp))))",
                "len = 27 * 2",
                "1 + 2 % 2 + 1 = 3",
                "-1 = 0xffffffff",
                "ether src 0:0:5e:0:53:1",
                "ether dst 0000.5e00.5302",
            })
    void matchesASynOfHttp(String filter) {
        assertThat(matches(filter, SYN)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "udp",
                "not tcp",
                "port 443",
                "src net 192.0.2",
                "arp",
                "ip6",
                "vlan",
                "tcp[tcpflags] & tcp-ack != 0",
                "src port 80",
                "host 10.1.2.4",
                "less 53",
                "tcp port 443 or 8080",
                "ip broadcast",
                "multicast",
                "icmp[icmptype] = icmp-echo",
            })
    void doesNotMatchASynOfHttp(String filter) {
        assertThat(matches(filter, SYN)).isFalse();
    }

    @Test
    void andBindsAsOrDoesAndThatIsSaid() {
        PacketFilter filter = PacketFilter.compile("tcp or udp and port 53", LinkTypes.ETHERNET);
        assertThat(filter.warnings()).singleElement().asString().contains("(a or b) and c", "character 12");
        assertThat(matches("tcp or udp and port 53", SYN)).isFalse();
        assertThat(matches("tcp or (udp and port 53)", SYN)).isTrue();
        assertThat(PacketFilter.compile("tcp or (udp and port 53)", LinkTypes.ETHERNET)
                        .warnings())
                .isEmpty();
    }

    @Test
    void qualifiersHoldOnBehindAndAndOr() {
        assertThat(matches("udp dst port 80 or 53", DNS)).isTrue();
        assertThat(matches("udp src port 80 or 53", DNS)).isFalse();
        assertThat(matches("dst host 192.0.2.9 or 192.0.2.53", DNS)).isTrue();
        assertThat(matches("src host 192.0.2.9 or 192.0.2.53", DNS)).isFalse();
    }

    @Test
    void aFrameThatIsCutAheadOfWhatIsLookedAtDoesNotMatchEvenUnderNot() {
        UnsafeBuffer buffer = new UnsafeBuffer(SYN);
        assertThat(PacketFilter.compile("not port 443", 1).matches(buffer, 0, 36, SYN.length))
                .isFalse();
        assertThat(PacketFilter.compile("not port 443", 1).matches(buffer, 0, SYN.length, SYN.length))
                .isTrue();
        assertThat(PacketFilter.compile("tcp", 1).matches(buffer, 0, 36, SYN.length))
                .isTrue();
        assertThat(PacketFilter.compile("tcp or port 443", 1).matches(buffer, 0, 36, SYN.length))
                .isTrue();
    }

    @Test
    void matchesInMemoryAsInArrays() {
        UnsafeBuffer memory = new UnsafeBuffer(BufferUtil.allocateDirectAligned(64, 8));
        memory.putBytes(3, SYN);
        PacketFilter filter = PacketFilter.compile("tcp port 80 and src net 10.1", LinkTypes.ETHERNET);
        assertThat(filter.matches(memory.addressOffset() + 3, SYN.length, SYN.length))
                .isTrue();
        assertThat(filter.matches(memory, 3, SYN.length, SYN.length)).isTrue();
    }

    @Test
    void looksBehindTags() {
        byte[] tagged = ByteBuffer.allocate(SYN.length + 4)
                .put(SYN, 0, 12)
                .putInt(0x8100_2005)
                .put(SYN, 12, SYN.length - 12)
                .array();
        assertThat(matches("vlan", tagged)).isTrue();
        assertThat(matches("vlan 5 and tcp port 80", tagged)).isTrue();
        assertThat(matches("vlan 6", tagged)).isFalse();
        assertThat(matches("tcp", tagged)).isFalse();
        assertThat(matches("tcp or vlan", tagged)).isTrue();
        assertThat(matches("vlan and vlan", tagged)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "host | 5 | Expected an address",
                "host example.org | 6 | Names of hosts are not looked up",
                "net example | 5 | Names of nets are not looked up",
                "gateway foo | 1 | names are not looked up",
                "10.0.0.1 | 1 | kind is missing",
                "tcp host 10.0.0.1 | 10 | has no addresses",
                "host 10.0.0.300 | 6 | up to 255",
                "net 10.0.0.1/8 | 5 | outside its mask",
                "host 10.0.0.0/8 | 6 | Only a net",
                "net 10.0.0.0/33 | 14 | up to 32",
                "net 10/8 | 5 | two parts",
                "port 70000 | 6 | end at 65535",
                "port nosuch | 6 | not a known port name",
                "udp port http | 10 | a port of tcp",
                "icmp port 5 | 11 | has no ports",
                "port 10.0.0.1 | 6 | is an address",
                "(tcp | 1 | never closed",
                "tcp) | 4 | closes nothing",
                "tcp udp | 5 | join the rest",
                "tcp and | 8 | is missing",
                "tcp[0:3] = 1 | 7 | 1, 2 or 4 bytes",
                "tcp[0 = 1 | 7 | Expected ']'",
                "esp[0] = 1 | 1 | has no bytes",
                "len / 0 = 1 | 5 | divided by 0",
                "len << 32 = 1 | 5 | at most 31",
                "len | 4 | Expected a comparison",
                "4294967296 = len | 1 | does not fit",
                "port 08 | 6 | octal",
                "inbound | 1 | without the direction",
                "wlan type mgt | 6 | 802.11",
                "ip protochain 6 | 4 | not followed",
                "mpls and arp | 10 | only IPv4 and IPv6",
                "mpls and vlan | 10 | before 'mpls'",
                "vlan 4096 | 1 | end at 4095",
                "ether host 10 | 12 | Ethernet address",
                "host 0:0:5e:0:53:1 | 6 | ether host",
                "tcp proto 5 | 11 | is not supported",
                "tcp # 5 | 5 | man pcap-filter",
            })
    void saysWhereItDoesNotUnderstandAndWhatToDo(String filter, int character, String part) {
        assertThatThrownBy(() -> PacketFilter.compile(filter, LinkTypes.ETHERNET))
                .isInstanceOfSatisfying(QuestionException.class, e -> {
                    assertThat(e.position() + 1).as(e.getMessage()).isEqualTo(character);
                    assertThat(e).hasMessageContaining(part);
                });
    }

    @Test
    void whatEthernetAloneHasIsRefusedOfOtherFrames() {
        for (String filter : List.of("ether host 0:0:5e:0:53:1", "broadcast", "multicast", "vlan", "mpls")) {
            assertThatThrownBy(() -> PacketFilter.compile(filter, LinkTypes.RAW))
                    .as(filter)
                    .isInstanceOf(QuestionException.class)
                    .hasMessageContaining("Ethernet");
        }
        assertThatThrownBy(() -> PacketFilter.compile("tcp", 127)).hasMessageContaining("link type 127");
    }

    @Test
    void howDeepAndHowLongAFilterMayBeIsBounded() {
        assertThatThrownBy(() -> compile("(".repeat(1_000) + "tcp" + ")".repeat(1_000)))
                .hasMessageContaining("deeper than");
        assertThatThrownBy(() -> compile("not ".repeat(1_000) + "tcp")).hasMessageContaining("deeper than");
        assertThatThrownBy(() -> compile("port " + "not ".repeat(1_000) + "1")).hasMessageContaining("deeper than");
        assertThatThrownBy(() -> compile("-".repeat(1_000) + "1 = 1")).hasMessageContaining("deeper than");
        assertThatThrownBy(() -> compile("tcp and udp or ".repeat(300) + "tcp")).hasMessageContaining("deeper than");
        assertThatThrownBy(() -> compile("tcp and ".repeat(2_000) + "tcp")).hasMessageContaining("at most 2048 words");
        assertThatThrownBy(() -> compile(" ".repeat(100_000))).hasMessageContaining("at most 65536");
        assertThat(compile("port 1" + " or 2".repeat(1_000)).steps()).isPositive();
    }

    @Test
    void doesNotAskTwiceWhatItKnows() {
        assertThat(compile("host 10.0.0.1").steps()).isEqualTo(7); // three types, two addresses of IP and two of ARP
        assertThat(compile("tcp and port 80 and host 10.0.0.1").steps()).isLessThan(20);
    }

    private static PacketFilter compile(String filter) {
        return PacketFilter.compile(filter, LinkTypes.ETHERNET);
    }

    private static boolean matches(String filter, byte[] frame) {
        return compile(filter).matches(new UnsafeBuffer(frame), 0, frame.length, frame.length);
    }

    private static byte[] frame(String source, String destination, int protocol, int from, int to, int flags) {
        return ByteBuffer.allocate(54)
                .putShort((short) 0)
                .putInt(0x5E00_5302)
                .putShort((short) 0)
                .putInt(0x5E00_5301)
                .putShort((short) 0x0800)
                .putInt(0x4500_0028)
                .putInt(0)
                .put((byte) 64)
                .put((byte) protocol)
                .putShort((short) 0)
                .putInt(Address.short4(source).bits())
                .putInt(Address.short4(destination).bits())
                .putShort((short) from)
                .putShort((short) to)
                .putLong(0)
                .put((byte) 0x50)
                .put((byte) flags)
                .array();
    }
}
