package io.chimera.queue.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chimera.api.model.FieldType;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.common.wire.RecordFlyweight;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Runs the public conformance cases of the line protocol (influxdata/line-protocol-corpus). The cases are not part of
 * the project: the test looks for the file in {@code shared/data} next to the checkout, or at the path in the system
 * property {@code chimera.corpus}.
 */
final class LineProtocolCorpusTest {
    /** Intended deviations: the corpus accepts the point, Chimera rejects the point. */
    private enum Deviation {
        /** A record holds nanoseconds since 1970. */
        TIME_BEFORE_1970("time outside range 1970 to 2262", 5),
        /** Limit of tags per point, the size of the encoder's tag table. */
        MORE_THAN_64_TAGS("more than 64 tags", 1);

        final String reason;
        final int cases;

        Deviation(String reason, int cases) {
            this.reason = reason;
            this.cases = cases;
        }
    }

    private static final int CASES = 6_615;

    private static final Map<String, Long> UNIT_NS =
            Map.of("1ns", 1L, "1µs", 1_000L, "1us", 1_000L, "1ms", 1_000_000L, "1s", 1_000_000_000L);

    private final InfluxLineParser parser = new InfluxLineParser();

    @Test
    void agreesWithEveryCaseButTheListedDeviations() throws IOException {
        Path file = corpus();
        assumeTrue(
                file != null,
                "Left out: no ../shared/data/line-protocol-corpus.json beside the checkout, and no -Dchimera.corpus.");
        JsonNode cases = new ObjectMapper().readTree(file.toFile()).get("decode");
        assertThat(cases.size()).isEqualTo(CASES);

        List<String> differences = new ArrayList<>();
        Map<Deviation, Integer> deviations = new EnumMap<>(Deviation.class);
        for (JsonNode one : cases) {
            check(one, differences, deviations);
        }

        assertThat(differences).isEmpty();
        for (Deviation deviation : Deviation.values()) {
            assertThat(deviations.getOrDefault(deviation, 0))
                    .as(deviation.name())
                    .isEqualTo(deviation.cases);
        }
    }

    private void check(JsonNode one, List<String> differences, Map<Deviation, Integer> deviations) {
        JsonNode input = one.get("input");
        JsonNode output = one.get("output");
        RecordingSink sink = parse(input);
        if (output.has("error")) {
            // the case has at least one malformed line; the corpus does not define the result of the following lines
            if (sink.rejects.isEmpty()) {
                differences.add("accepted: " + input + " wanted " + output);
            }
            return;
        }
        String expected = expected(output.get("result"));
        String seen = seen(sink);
        if (sink.rejects.isEmpty() && seen.equals(expected)) {
            return;
        }
        for (Deviation deviation : Deviation.values()) {
            if (sink.rejects.size() == 1
                    && sink.rejects.get(0).reason().equals(deviation.reason)
                    && sink.points.size() == output.get("result").size() - 1) {
                deviations.merge(deviation, 1, Integer::sum);
                return;
            }
        }
        differences.add(input + "\n wanted " + expected + "\n saw    " + seen + " " + sink.rejects);
    }

    private RecordingSink parse(JsonNode input) {
        RecordingSink sink = new RecordingSink();
        sink.arrivalNs = input.get("defaultTime").asLong();
        byte[] text = bytes(input.get("text"));
        var chunk = new io.chimera.api.spi.Chunk()
                .restart(UNIT_NS.get(input.get("precision").asText()))
                .wrap(text, 0, text.length, true);
        parser.reset();
        assertThat(parser.parse(chunk, sink)).isTrue();
        assertThat(chunk.isEmpty()).isTrue();
        return sink;
    }

    private static byte[] bytes(JsonNode text) {
        return text.isTextual()
                ? text.asText().getBytes(StandardCharsets.UTF_8)
                : Base64.getDecoder().decode(text.get("binary").asText());
    }

    private static String expected(JsonNode result) {
        StringBuilder all = new StringBuilder();
        for (JsonNode point : result) {
            Map<String, String> tags = new TreeMap<>();
            point.get("tags").forEach(tag -> tags.put(text(tag.get("key")), text(tag.get("value"))));
            List<String> fields = new ArrayList<>();
            point.get("fields").forEach(field -> fields.add(text(field.get("key")) + "=" + value(field.get("value"))));
            all.append(text(point.get("name")))
                    .append(tags)
                    .append(fields)
                    .append(point.get("time").asLong());
        }
        return all.toString();
    }

    private static String text(JsonNode node) {
        return new String(bytes(node), StandardCharsets.UTF_8);
    }

    private static String value(JsonNode value) {
        Map.Entry<String, JsonNode> typed = value.properties().iterator().next();
        JsonNode content = typed.getValue();
        return switch (typed.getKey()) {
            case "float" -> number(content.asDouble());
            case "int" -> content.asLong() + "i";
            case "uint" -> new BigInteger(content.asText()) + "u";
            case "bool" -> content.asText();
            default -> "\"" + text(content);
        };
    }

    private static String number(double value) {
        return Double.toString(value + 0.0); // the corpus does not distinguish -0 from 0
    }

    /** Formats the records, which keep duplicate fields. */
    private static String seen(RecordingSink sink) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < sink.points.size(); i++) {
            int end = i + 1 < sink.offsets.size() ? sink.offsets.get(i + 1) : sink.recordsLength();
            BodyReader body = new BodyReader().wrap(sink.records, sink.offsets.get(i), end);
            assertThat(body.nextRecord()).isTrue();
            var key = sink.points.get(i).key();
            all.append(key.metric()).append(key.tags().asMap());
            List<String> fields = new ArrayList<>();
            FieldsFlyweight definition = body.fieldsOfRecord();
            int field = definition.first();
            int text = body.record().firstBytes(definition.count());
            for (int n = 0; n < definition.count(); n++) {
                long bits = body.record().bits(n);
                FieldType type = FieldType.ofCode(definition.type(field));
                String name =
                        RecordDecoder.text(definition.buffer(), definition.name(field), definition.nameLength(field));
                fields.add(name + "=" + value(body, type, bits, text));
                text = type == FieldType.TEXT ? RecordFlyweight.nextBytes(text, bits) : text;
                field = definition.next(field);
            }
            all.append(fields).append(body.record().timeNs());
        }
        return all.toString();
    }

    private static String value(BodyReader body, FieldType type, long bits, int text) {
        return switch (type) {
            case LONG -> bits + "i";
            case UNSIGNED -> Long.toUnsignedString(bits) + "u";
            case DOUBLE -> number(Double.longBitsToDouble(bits));
            case BOOLEAN -> bits == 1 ? "true" : "false";
            case TEXT -> "\"" + RecordDecoder.text(body.record().buffer(), text, (int) bits);
            case HISTOGRAM -> throw new IllegalStateException("line protocol has no histograms");
        };
    }

    private static Path corpus() {
        String property = System.getProperty("chimera.corpus");
        if (property != null) {
            return Path.of(property);
        }
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            Path file = folder.resolveSibling("shared").resolve("data/line-protocol-corpus.json");
            if (Files.isRegularFile(folder.resolve("pom.xml")) && Files.isRegularFile(file)) {
                return file;
            }
        }
        return null;
    }
}
