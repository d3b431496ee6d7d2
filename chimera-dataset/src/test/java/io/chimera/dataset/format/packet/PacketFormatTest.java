package io.chimera.dataset.format.packet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.format.MemoryObject;
import io.chimera.dataset.format.PointTextSink;
import io.chimera.dataset.format.codec.CodecLimits;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Packets as points, and captures that cannot be read. */
final class PacketFormatTest {
    private static final Random RANDOM = new Random(1);
    private static final byte[] FRAME = CaptureSamples.frame(RANDOM, new byte[10]);

    private static PointTextSink read(PacketFormat format, byte[] bytes) throws Exception {
        return PointTextSink.of(format, new MemoryObject("a.pcap", bytes), new ByteRange(0, bytes.length));
    }

    private static CaptureSamples littleEndian() {
        return new CaptureSamples(ByteOrder.LITTLE_ENDIAN);
    }

    private static PacketFormat format(List<String> tags, List<String> fields) {
        return new PacketFormat(CaptureSamples.mapping(tags, fields), null, CodecLimits.DEFAULT);
    }

    @Test
    void aPacketHasItsColumns() throws Exception {
        byte[] frame = FRAME.clone();
        frame[14 + 20 + 13] = 0x12;
        frame[29] = 77;
        byte[] capture =
                littleEndian().pcap(CaptureSamples.ETHERNET).record(5, 7, frame).bytes();

        PointTextSink found = read(
                format(
                        List.of("source", "destination", "vlan", "outcome"),
                        List.of(
                                "length",
                                "captured",
                                "ip_version",
                                "ip_length",
                                "protocol",
                                "source_port",
                                "destination_port",
                                "tcp_flags",
                                "icmp_type",
                                "fragment")),
                capture);

        assertThat(found.points)
                .containsExactly("p,source=10.0.0.77,destination=10.0.0.1,outcome=ip length=64(LONG) captured=64(LONG)"
                        + " ip_version=4(LONG) ip_length=50(LONG) protocol=6(LONG) source_port=1234(LONG)"
                        + " destination_port=80(LONG) tcp_flags=18(LONG) fragment=0(LONG) 5000007000");
    }

    @Test
    void aPacketThatIsNotIpHasALength() throws Exception {
        byte[] arp = new byte[42];
        arp[12] = 8;
        arp[13] = 6;
        byte[] capture =
                littleEndian().pcap(CaptureSamples.ETHERNET).record(5, 0, arp).bytes();

        assertThat(read(CaptureSamples.format(), capture).points)
                .containsExactly("p,outcome=not_ip length=42(LONG) 5000000000");
    }

    @Test
    void aPacketWithoutTimeOrOfAnotherLinkIsRejected() throws Exception {
        byte[] capture = littleEndian()
                .section()
                .netInterface(CaptureSamples.ETHERNET)
                .netInterface(101)
                .simple(FRAME)
                .enhanced(1, 5, FRAME)
                .enhanced(0, 6, FRAME)
                .bytes();

        PointTextSink found = read(CaptureSamples.format(), capture);

        assertThat(found.points).hasSize(1);
        assertThat(found.rejects).extracting(PointTextSink.Reject::line).containsExactly(1L, 2L);
        assertThat(found.rejects.get(0).reason()).contains("time");
        assertThat(found.rejects.get(1).reason()).contains("link type");
    }

    @Test
    void anotherColumnIsRefused() {
        assertThatThrownBy(() -> format(List.of("sender"), List.of("length")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("sender", "source_port");
    }

    @Test
    void aCaptureThatIsCutOffIsDamagedAfterItsWholePackets() throws Exception {
        byte[] capture = CaptureSamples.pcap(RANDOM, ByteOrder.LITTLE_ENDIAN, 10);
        byte[] cut = Arrays.copyOf(capture, capture.length - 1);
        PointTextSink sink = new PointTextSink();

        assertThatThrownBy(() -> sink.read(
                        CaptureSamples.format(), new MemoryObject("a.pcap", cut), new ByteRange(0, cut.length)))
                .isInstanceOf(FormatException.class)
                .hasMessageContainingAll("a.pcap", "cut off");
        assertThat(sink.points).hasSize(9);
    }

    @Test
    void anObjectThatIsNoCaptureIsRefused() {
        for (byte[] bytes : List.of(new byte[1], new byte[30], "time,value\n1,2\n1,2\n1,2\n".getBytes(UTF_8))) {
            assertThatThrownBy(() -> read(CaptureSamples.format(), bytes))
                    .isInstanceOf(FormatException.class)
                    .hasMessageContaining("a.pcap");
        }
    }

    @Test
    void anUnknownLinkTypeIsRefused() {
        byte[] capture = littleEndian().pcap(127).record(1, 1, FRAME).bytes();

        assertThatThrownBy(() -> read(CaptureSamples.format(), capture))
                .isInstanceOf(FormatException.class)
                .hasMessageContainingAll("link type 127");
    }

    @Test
    void aPacketLongerThanAnyNetworkIsDamage() {
        byte[] capture = littleEndian()
                .pcap(CaptureSamples.ETHERNET)
                .record(1, 1, FRAME)
                .record(1, 1, FRAME)
                .bytes();
        capture[24 + 16 + FRAME.length + 11] = 0x7F;

        assertThatThrownBy(() -> read(CaptureSamples.format(), capture))
                .isInstanceOf(FormatException.class)
                .hasMessageContainingAll("a.pcap", "damaged");
    }
}
