package io.chimera.flow.ipfix.collector;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.spi.Chunk;
import io.chimera.common.config.IpfixConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.flow.ipfix.collector.PointList.Point;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FlowMessagesTest {
    private static final long SECONDS = 1_700_000_000;
    private static final long NS_PER_S = 1_000_000_000;

    /** Addresses, protocol, packets (4 bytes), bytes (4), start and end in ms: 41 bytes. */
    private static final int[] FIELDS = {8, 4, 12, 4, 4, 1, 2, 4, 1, 4, 152, 8, 153, 8};

    private FlowRig rig = FlowRig.datagrams();

    private static Message template(Message message, int set, int id, int... fields) {
        return message.set(set).u16(id, fields.length / 2).u16(fields);
    }

    private static Message record(Message message, int packets) {
        return message.hex("0a000001 0a000002 11")
                .u32(packets)
                .u32(100L * packets)
                .u64(SECONDS * 1000 + 1)
                .u64(SECONDS * 1000 + 5);
    }

    private static Message told(long sequence) {
        return template(Message.ipfix(SECONDS, sequence, 7), 2, 256, FIELDS);
    }

    private static Message data(long sequence, int... packets) {
        Message message = Message.ipfix(SECONDS, sequence, 7).set(256);
        for (int count : packets) {
            record(message, count);
        }
        return message;
    }

    private List<Long> packets() {
        return rig.points().stream().map(point -> point.number("packets")).toList();
    }

    // decoding

    @Test
    void readsARecordByItsTemplate() {
        assertThat(rig.datagram(record(told(0).set(256), 3).bytes())).isTrue();

        Point point = rig.points().get(0);
        assertThat(point.metric()).isEqualTo("flow");
        assertThat(point.tags())
                .isEqualTo(Map.of("src", "10.0.0.1", "dst", "10.0.0.2", "protocol", "udp", "exporter", "192.0.2.1"));
        assertThat(point.number("packets")).isEqualTo(3);
        assertThat(point.number("bytes")).isEqualTo(300);
        assertThat(point.number("domain")).isEqualTo(7);
        assertThat(point.number("duration_ms")).isEqualTo(4);
        assertThat(point.number("sampling_interval")).isEqualTo(1);
        assertThat(point.timeNs()).isEqualTo(SECONDS * NS_PER_S + 5_000_000);
        assertThat(rig.count(QueueCounter.IPFIX_RECORDS)).isEqualTo(1);
        assertThat(rig.count(QueueCounter.IPFIX_MESSAGES)).isEqualTo(1);
        assertThat(rig.sink.rejects).isEmpty();
    }

    @Test
    void remembersTemplatesFromMessageToMessage() {
        rig.datagram(told(0).bytes());
        rig.datagram(data(0, 1, 2).bytes());
        rig.datagram(data(2, 3).bytes());

        assertThat(packets()).containsExactly(1L, 2L, 3L);
        assertThat(rig.count(QueueCounter.IPFIX_TEMPLATES)).isEqualTo(1);
        assertThat(rig.count(QueueCounter.IPFIX_RECORDS_LOST)).isZero();
    }

    @Test
    void readsBothDirectionsOfAFlow() {
        Message message = Message.ipfix(SECONDS, 0, 0)
                .set(2)
                .u16(300, 6, 27, 16, 28, 16, 2, 8, 6, 2)
                .u16(0x8000 | 2, 8)
                .u32(29_305)
                .u16(0x8000 | 6, 1)
                .u32(29_305)
                .set(300)
                .hex("20010db8000000000000000000000001 20010db8000000000000000000000002")
                .u64(5)
                .u16(0x1B)
                .u64(4)
                .u8(0x12);
        rig.datagram(message.bytes());

        Point point = rig.points().get(0);
        assertThat(point.tags()).containsEntry("src", "2001:db8::1").containsEntry("dst", "2001:db8::2");
        assertThat(point.number("packets")).isEqualTo(5);
        assertThat(point.number("reverse_packets")).isEqualTo(4);
        assertThat(point.number("tcp_flags")).isEqualTo(0x1B);
        assertThat(point.number("reverse_tcp_flags")).isEqualTo(0x12);
        assertThat(point.timeNs()).isEqualTo(SECONDS * NS_PER_S); // the message's time: the flow has none
    }

    @Test
    void stepsOverElementsOfVariableLengthAndOfEnterprises() {
        Message message = Message.ipfix(SECONDS, 0, 0)
                .set(2)
                .u16(256, 6, 8, 4, 12, 4, 82, 0xFFFF)
                .u16(0x8000 | 110, 0xFFFF)
                .u32(35_632)
                .u16(0x8000 | 5, 4)
                .u32(4_000_000_000L)
                .u16(2, 2)
                .set(256)
                .hex("0a000001 0a000002 04 65746830") // eth0
                .u8(255)
                .u16(300)
                .hex("ab".repeat(300))
                .u32(77)
                .u16(9)
                .hex("0a000001 0a000003 00 00")
                .u32(78)
                .u16(8);
        rig.datagram(message.bytes());
        assertThat(packets()).containsExactly(9L, 8L);

        rig = FlowRig.datagrams(Sections.of(IpfixConfig.class, "other_elements", true));
        rig.datagram(message.bytes());
        assertThat(rig.points().get(0).fields())
                .containsEntry("element_4000000000_5", 77L)
                .containsEntry("element_82", 0x65746830L)
                .doesNotContainKey("element_35632_110");
    }

    @Test
    void readsNetflow5() {
        Message message = Message.netflow5(2, 10_000, SECONDS, 40, 0x0102, 0x4000 | 100);
        for (int i = 1; i <= 2; i++) {
            message.hex("0a000001 0a000002 00000000")
                    .u16(3, 4)
                    .u32(i)
                    .u32(60L * i)
                    .u32(7_000)
                    .u32(9_000)
                    .u16(1024, 80)
                    .u8(0, 0x13, 6, 0xB8)
                    .u16(64_500, 64_501, 0x1818, 0);
        }
        rig.datagram(message.bytes());

        Point point = rig.points().get(1);
        assertThat(point.fields())
                .containsEntry("packets", 2L)
                .containsEntry("bytes", 120L)
                .containsEntry("src_port", 1024L)
                .containsEntry("dst_port", 80L)
                .containsEntry("tcp_flags", 0x13L)
                .containsEntry("ingress_interface", 3L)
                .containsEntry("egress_interface", 4L)
                .containsEntry("class_of_service", 0xB8L)
                .containsEntry("src_as", 64_500L)
                .containsEntry("sampling_interval", 100L)
                .containsEntry("duration_ms", 2_000L);
        assertThat(point.timeNs()).isEqualTo(SECONDS * NS_PER_S + 500_000_000 - NS_PER_S);
    }

    @Test
    void readsNetflow9WithItsOptionsAndItsPadding() {
        Message message = Message.netflow9(10_000, SECONDS, 1, 3)
                .set(0)
                .u16(260, 6, 8, 4, 12, 4, 4, 1, 2, 4, 22, 4, 21, 4)
                .set(1)
                .u16(261, 4, 8, 1, 4, 48, 1, 50, 2)
                .u16(0)
                .set(261)
                .u32(99)
                .u8(5)
                .u16(64)
                .u8(0)
                .set(260)
                .hex("0a000001 0a000002 06")
                .u32(11)
                .u32(0xFFFFFF00L) // the exporter's clock wrapped around during the flow
                .u32(9_000)
                .u8(0, 0, 0);
        rig.datagram(message.bytes());

        Point point = rig.points().get(0);
        assertThat(point.number("packets")).isEqualTo(11);
        assertThat(point.number("duration_ms")).isEqualTo(9_000 + 256);
        assertThat(point.number("sampling_interval")).isEqualTo(64);
        assertThat(rig.sink.rejects).isEmpty();
    }

    @Test
    void takesTheStartOfTheClockFromOptions() {
        Message message = template(Message.ipfix(SECONDS, 0, 0), 2, 256, 8, 4, 12, 4, 1, 8, 22, 4, 21, 4)
                .set(3)
                .u16(257, 2, 1, 143, 4, 160, 8)
                .set(257)
                .u32(1)
                .u64((SECONDS - 100) * 1000);
        rig.datagram(message.bytes());
        rig.datagram(Message.ipfix(SECONDS, 1, 0)
                .set(256)
                .hex("0a000001 0a000002")
                .u64(5)
                .u32(90_000)
                .u32(99_000)
                .bytes());

        assertThat(rig.points().get(0).timeNs()).isEqualTo((SECONDS - 1) * NS_PER_S);
        assertThat(rig.points().get(0).number("duration_ms")).isEqualTo(9_000);
        assertThat(rig.count(QueueCounter.IPFIX_RECORDS_LOST)).isZero();
        assertThat(rig.count(QueueCounter.IPFIX_RECORDS_OF_OPTIONS)).isEqualTo(1);
    }

    @Test
    void scalesByTheSamplerOfTheRecord() {
        rig = FlowRig.datagrams(Sections.of(IpfixConfig.class, "scale", true));
        Message message = template(Message.ipfix(SECONDS, 0, 0), 2, 256, 8, 4, 12, 4, 2, 4, 302, 1)
                .set(3)
                .u16(257, 3, 1, 302, 1, 305, 4, 306, 4)
                .set(257)
                .u8(1)
                .u32(1)
                .u32(9)
                .u8(2)
                .u32(10)
                .u32(990)
                .set(256)
                .hex("0a000001 0a000002")
                .u32(3)
                .u8(1)
                .hex("0a000001 0a000002")
                .u32(3)
                .u8(2);
        rig.datagram(message.bytes());

        assertThat(packets()).containsExactly(30L, 300L);
    }

    @Test
    void passesRecordsOverThatAreNoFlows() {
        rig.datagram(template(Message.ipfix(SECONDS, 0, 0), 2, 256, 8, 4, 12, 4, 2, 4)
                .set(256)
                .hex("0a000001 0a000002")
                .u32(0)
                .bytes());

        assertThat(rig.points()).isEmpty();
        assertThat(rig.count(QueueCounter.IPFIX_RECORDS_OTHER)).isEqualTo(1);
    }

    // templates

    @Test
    void countsSetsAheadOfTheirTemplate() {
        rig.datagram(data(0, 1, 2).bytes());
        rig.datagram(told(2).bytes());
        rig.datagram(data(2, 3).bytes());

        assertThat(packets()).containsExactly(3L);
        assertThat(rig.count(QueueCounter.IPFIX_SETS_UNTOLD)).isEqualTo(1);
        assertThat(rig.count(QueueCounter.IPFIX_RECORDS_LOST)).isZero();
    }

    @Test
    void templatesOfOneExporterAreNotThoseOfAnother() {
        rig.datagram(told(0).bytes());
        rig.sender = FlowRig.sender(2, 2055);
        rig.datagram(data(0, 1).bytes());
        rig.sender = FlowRig.sender(1, 2056);
        rig.datagram(data(0, 1).bytes());

        assertThat(rig.count(QueueCounter.IPFIX_SETS_UNTOLD)).isEqualTo(2);
    }

    @Test
    void aTemplateTakesThePlaceOfTheOneBefore() {
        rig.datagram(told(0).bytes());
        rig.datagram(template(Message.ipfix(SECONDS, 0, 7), 2, 256, 8, 4, 12, 4, 2, 2)
                .set(256)
                .hex("0a000001 0a000002")
                .u16(5)
                .bytes());

        assertThat(packets()).containsExactly(5L);
    }

    @Test
    void forgetsTemplatesThatAreWithdrawnOrNotToldAgain() {
        rig.datagram(told(0).bytes());
        rig.datagram(Message.ipfix(SECONDS, 0, 7).set(2).u16(256, 0).bytes());
        rig.datagram(data(0, 1).bytes());
        assertThat(rig.count(QueueCounter.IPFIX_SETS_UNTOLD)).isEqualTo(1);

        rig.datagram(told(1).bytes());
        rig.sink.arrivalNs += Duration.ofMinutes(29).toNanos();
        rig.datagram(data(1, 1).bytes());
        assertThat(packets()).hasSize(1);
        rig.datagram(told(2).bytes());
        rig.sink.arrivalNs += Duration.ofMinutes(29).toNanos();
        rig.datagram(data(2, 1).bytes());
        assertThat(packets()).hasSize(2);
        rig.sink.arrivalNs += Duration.ofMinutes(2).toNanos();
        rig.datagram(data(3, 1).bytes());
        assertThat(packets()).hasSize(2);
        assertThat(rig.count(QueueCounter.IPFIX_TEMPLATES_EXPIRED)).isEqualTo(1);
    }

    @Test
    void keepsNoMoreTemplatesAndExportersThanConfigured() {
        rig = FlowRig.datagrams(Sections.of(IpfixConfig.class, "templates_max", 2, "exporters_max", 2));
        for (int id = 256; id < 260; id++) {
            rig.datagram(template(Message.ipfix(SECONDS, 0, 7), 2, id, FIELDS).bytes());
        }
        assertThat(rig.count(QueueCounter.IPFIX_TEMPLATES_REFUSED)).isEqualTo(2);

        for (int port = 1; port <= 3; port++) {
            rig.sender = FlowRig.sender(9, port);
            rig.datagram(told(0).bytes());
        }
        assertThat(rig.count(QueueCounter.IPFIX_EXPORTERS_REFUSED)).isEqualTo(2);

        rig.sink.arrivalNs += Duration.ofMinutes(31).toNanos();
        rig.datagram(record(told(0).set(256), 1).bytes());
        assertThat(packets()).hasSize(1); // evicted the silent exporters
    }

    // loss

    @Test
    void countsWhatIsMissingByTheNumbersOfMessages() {
        rig.datagram(told(100).bytes());
        rig.datagram(data(100, 1, 1).bytes());
        rig.datagram(data(105, 1).bytes());
        assertThat(rig.count(QueueCounter.IPFIX_RECORDS_LOST)).isEqualTo(3);

        rig.datagram(data(102, 1, 1, 1).bytes()); // late, not lost
        assertThat(rig.count(QueueCounter.IPFIX_SEQUENCE_BACKWARD)).isEqualTo(1);
        assertThat(packets()).hasSize(6);
    }

    @Test
    void countsMissingMessagesOfNetflow9() {
        rig.datagram(Message.netflow9(1, SECONDS, 0xFFFFFFFFL, 3).bytes());
        rig.datagram(Message.netflow9(1, SECONDS, 0, 3).bytes());
        assertThat(rig.count(QueueCounter.IPFIX_MESSAGES_LOST)).isZero();

        rig.datagram(Message.netflow9(1, SECONDS, 5, 3).bytes());
        assertThat(rig.count(QueueCounter.IPFIX_MESSAGES_LOST)).isEqualTo(4);
    }

    @Test
    void aDatagramThatFindsNoRoomCostsTheRestOfItAndNoMore() {
        rig.datagram(told(0).bytes());
        rig.sink.room = 1;
        assertThat(rig.datagram(data(0, 1, 2, 3).bytes())).isFalse();
        rig.sink.room = 100;
        rig.datagram(data(3, 4).bytes());

        assertThat(packets()).containsExactly(1L, 4L);
        assertThat(rig.count(QueueCounter.IPFIX_RECORDS_LOST)).isZero();
        assertThat(rig.count(QueueCounter.IPFIX_RECORDS)).isEqualTo(2);
    }

    // malformed input

    @Test
    void saysWhatIsWrongWithADatagram() {
        rig.datagram(new byte[] {1});
        rig.datagram(new byte[] {0, 1, 0, 0, 0});
        rig.datagram(new byte[0]);
        rig.datagram(Arrays.copyOf(told(0).bytes(), 40));
        rig.datagram(Message.netflow5(3, 0, 0, 0, 0, 0).bytes());
        rig.datagram(Arrays.copyOf(Message.netflow9(0, 0, 0, 0).bytes(), 19));
        assertThat(rig.count(QueueCounter.IPFIX_BAD_LENGTH)).isEqualTo(4);
        assertThat(rig.count(QueueCounter.IPFIX_BAD_VERSION)).isEqualTo(1);

        rig.datagram(Message.ipfix(0, 0, 0).u16(256, 3, 1, 1).bytes());
        rig.datagram(Message.ipfix(0, 0, 0).u16(256, 300).bytes());
        rig.datagram(Message.ipfix(0, 0, 0).set(100).u32(1).bytes());
        assertThat(rig.count(QueueCounter.IPFIX_BAD_SET)).isEqualTo(3);

        rig.datagram(template(Message.ipfix(0, 0, 0), 2, 100, FIELDS).bytes());
        rig.datagram(Message.ipfix(0, 0, 0).set(2).u16(256, 2, 8, 4).bytes());
        rig.datagram(template(Message.ipfix(0, 0, 0), 2, 256, 8, 0, 12, 0).bytes());
        rig.datagram(Message.ipfix(0, 0, 0).set(3).u16(256, 1, 0, 8, 4).bytes());
        rig.datagram(Message.ipfix(0, 0, 0).set(2).u16(256, 1, 0x8001, 4).bytes());
        assertThat(rig.count(QueueCounter.IPFIX_BAD_TEMPLATE)).isEqualTo(5);

        rig.datagram(template(Message.ipfix(0, 0, 0), 2, 256, 8, 4, 12, 4, 82, 0xFFFF)
                .set(256)
                .hex("0a000001 0a000002 05 0000")
                .bytes());
        assertThat(rig.count(QueueCounter.IPFIX_BAD_RECORD)).isEqualTo(1);
        assertThat(rig.sink.rejects).hasSize(14).allMatch(reject -> reject.matches("[^:]+(:[^:]+)*: [0-9a-f]*"));
        assertThat(rig.points()).isEmpty();
    }

    @Test
    void aMalformedSetDoesNotCostTheSetsAhead() {
        rig.datagram(record(told(0).set(256), 3).set(2).u16(1, 1, 1, 1).bytes());

        assertThat(packets()).containsExactly(3L);
        assertThat(rig.count(QueueCounter.IPFIX_BAD_TEMPLATE)).isEqualTo(1);
    }

    // streams

    private static byte[] stream(int messages) {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        stream.writeBytes(told(0).bytes());
        for (int i = 0; i < messages; i++) {
            stream.writeBytes(data(3L * i, 1, 2, 3).bytes());
        }
        return stream.toByteArray();
    }

    @Test
    void aStreamMayComeInAnyPiecesAndFindNoRoomAnywhere() {
        byte[] stream = stream(4);
        for (int piece = 1; piece < 60; piece++) {
            rig = FlowRig.stream();
            Chunk chunk = new Chunk().restart(1).from(FlowRig.SENDER);
            int offset = 0;
            for (int end = 0; end < stream.length; ) {
                end = Math.min(stream.length, end + piece);
                rig.sink.room = 1;
                while (!rig.parser.parse(chunk.wrap(stream, offset, end - offset, false), rig.sink)) {
                    rig.sink.room = 1;
                    offset = chunk.offset();
                }
                offset = chunk.offset();
            }
            assertThat(packets()).containsExactly(1L, 2L, 3L, 1L, 2L, 3L, 1L, 2L, 3L, 1L, 2L, 3L);
            assertThat(rig.sink.rejects).isEmpty();
            assertThat(rig.count(QueueCounter.IPFIX_RECORDS)).isEqualTo(12);
        }
    }

    @Test
    void givesAStreamUpThatIsNotIpfix() {
        rig = FlowRig.stream();
        byte[] bytes = "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        Chunk chunk = new Chunk().restart(1).wrap(bytes, 0, bytes.length, false);

        assertThat(rig.parser.parse(chunk, rig.sink)).isTrue();
        assertThat(chunk.isAbandoned()).isTrue();
        assertThat(chunk.isEmpty()).isTrue();
        assertThat(rig.count(QueueCounter.IPFIX_BAD_VERSION)).isEqualTo(1);
    }

    @Test
    void theNextConnectionBeginsWithoutTemplates() {
        rig = FlowRig.stream();
        byte[] first = stream(1);
        byte[] second = data(0, 1).bytes();
        rig.parser.parse(new Chunk().restart(1).from(FlowRig.SENDER).wrap(first, 0, first.length, true), rig.sink);
        rig.parser.reset();
        rig.parser.parse(new Chunk().restart(1).from(FlowRig.SENDER).wrap(second, 0, second.length, true), rig.sink);

        assertThat(packets()).hasSize(3);
        assertThat(rig.count(QueueCounter.IPFIX_SETS_UNTOLD)).isEqualTo(1);
    }
}
