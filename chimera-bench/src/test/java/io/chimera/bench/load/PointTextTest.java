package io.chimera.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.FieldType;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.queue.parser.InfluxLineParser;
import io.chimera.queue.source.DatagramSource;
import io.chimera.queue.source.InputContext;
import io.chimera.queue.source.SourceEnvironment;
import io.chimera.queue.source.reject.DeadLetters;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.agrona.LangUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class PointTextTest {

    @ParameterizedTest
    @EnumSource
    void everyLineHasTheLengthOfItsShape(PointShape shape) {
        List<String> lines = linesOf(PointText.of(shape), 2_500);

        assertThat(lines).hasSize(2_500).allSatisfy(line -> assertThat(line).hasSize(shape.lineLength() - 1));
    }

    @ParameterizedTest
    @EnumSource
    void writesAsManySeriesAsAskedFor(PointShape shape) {
        List<String> lines = linesOf(PointText.of(shape), 3 * PointText.SERIES);

        assertThat(lines.stream().map(PointTextTest::keyOf).distinct()).hasSize(PointText.SERIES);
        assertThat(lines).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource
    void sameSeedGivesTheSameBytes(PointShape shape) {
        byte[] lines = new PointText(shape, 10, 7).lines(100);

        assertThat(new PointText(shape, 10, 7).lines(100)).isEqualTo(lines);
        assertThat(new PointText(shape, 10, 8).lines(100)).isNotEqualTo(lines);
    }

    @Test
    void writesTheTagsAndFieldsItPromises() {
        String fourFields = linesOf(PointText.of(PointShape.FOUR_FIELDS), 1).get(0);
        String tenFields = linesOf(PointText.of(PointShape.TEN_FIELDS), 1).get(0);

        assertThat(tagsOf(fourFields)).hasSize(8).isSorted();
        assertThat(fourFields.split(" ", -1)[1])
                .matches("usage_idle=\\d\\d\\.\\d\\d,usage_system=\\d\\d\\.\\d\\d,usage_user=\\d\\d\\.\\d\\d,"
                        + "context_switches=\\d{4}i");
        assertThat(fourFields).endsWith(" 1700000000000000000");
        assertThat(tagsOf(tenFields)).hasSize(10);
        assertThat(tenFields.split(" ", -1)[1].split(",", -1))
                .hasSize(10)
                .allMatch(field -> field.matches("\\w+=\\d\\di"));
    }

    @ParameterizedTest
    @EnumSource
    void recordsHoldTheSamePointsAsTheText(PointShape shape) {
        List<String> lines = linesOf(PointText.of(shape), 1_001);
        PointRecords records = PointRecords.of(shape, 1_001);

        BodyReader body = new BodyReader().wrap(records.buffer(), 0, records.length());
        for (String line : lines) {
            assertThat(body.nextRecord()).isTrue();
            String[] parts = line.split(" ", -1);
            assertThat(body.seriesOfRecord().tagCount()).isEqualTo(tagsOf(line).size());
            assertThat(fieldsOf(body)).isEqualTo(parts[1]);
            assertThat(body.record().timeNs()).isEqualTo(Long.parseLong(parts[2]));
        }
        assertThat(body.step()).isEqualTo(BodyReader.END);
    }

    @ParameterizedTest
    @EnumSource
    void parserMakesTheSameRecordsOfTheText(PointShape shape, @TempDir Path folder) {
        int points = 100;
        BatchRing ring = new BatchRing(1, BatchLayout.LENGTH_MAX);
        Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
        ManualClock clock = new ManualClock();
        DeadLetters deadLetters = new DeadLetters(folder, counters, clock);
        InputContext inlet = new InputContext(
                "test",
                0,
                InfluxLineParser::new,
                new SourceEnvironment(ring, deadLetters, counters, clock, LangUtil::rethrowUnchecked));
        DatagramSource source = new DatagramSource(inlet, 1);
        byte[] text = PointText.of(shape).lines(points);

        source.onDatagram(text, 0, text.length, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
        source.onReadComplete();

        PointRecords expected = PointRecords.of(shape, points);
        byte[] expectedBytes = new byte[expected.length()];
        expected.buffer().getBytes(0, expectedBytes);
        byte[] bytes = new byte[expected.length()];
        int slots = ring.poll(
                slot -> {
                    assertThat(slot.count()).isEqualTo(points);
                    assertThat(slot.length()).isEqualTo(BatchLayout.HEADER_LENGTH + expected.length());
                    slot.buffer().getBytes(BatchLayout.HEADER_LENGTH, bytes);
                    return true;
                },
                1);
        assertThat(slots).isEqualTo(1);
        assertThat(bytes).isEqualTo(expectedBytes);
    }

    private static String keyOf(String line) {
        return line.substring(0, line.indexOf(' '));
    }

    private static List<String> tagsOf(String line) {
        List<String> key = List.of(keyOf(line).split(",", -1));
        return key.subList(1, key.size());
    }

    private static List<String> linesOf(PointText text, int points) {
        return new String(text.lines(points), US_ASCII).lines().toList();
    }

    private static String fieldsOf(BodyReader body) {
        FieldsFlyweight fields = body.fieldsOfRecord();
        StringBuilder text = new StringBuilder();
        int field = fields.first();
        for (int i = 0; i < fields.count(); i++) {
            double value = body.record().asDouble(i, fields.type(field));
            boolean isDouble = fields.type(field) == FieldType.DOUBLE.code();
            text.append(i == 0 ? "" : ",")
                    .append(RecordDecoder.text(fields.buffer(), fields.name(field), fields.nameLength(field)))
                    .append('=')
                    .append(isDouble ? String.format("%.2f", value) : (long) value + "i");
            field = fields.next(field);
        }
        return text.toString();
    }
}
