package io.chimera.dataset.format.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.model.FieldType;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.MemoryObject;
import io.chimera.dataset.format.PointTextSink;
import io.chimera.dataset.format.PointTextSink.Reject;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JsonLinesTest {
    private static final RowMapping MAPPING = new RowMapping(
            MetricName.column("meta.name"),
            new TimeColumn("meta.at", TimeFormat.of("s", ZoneOffset.UTC)),
            List.of(new TagColumn("host", "host")),
            List.of(
                    new FieldColumn("load", "v.load", FieldType.DOUBLE),
                    new FieldColumn("users", "v.users", FieldType.LONG),
                    new FieldColumn("up", "v.up", FieldType.BOOLEAN),
                    new FieldColumn("note", "note", FieldType.TEXT)));

    private static PointTextSink read(String text) throws Exception {
        byte[] bytes = text.getBytes(UTF_8);
        TextFormat format = TextFormat.jsonLines(TextOptions.DEFAULT, MAPPING);
        return PointTextSink.of(format, new MemoryObject("a.json", bytes), new ByteRange(0, bytes.length));
    }

    @Test
    void mapsPathsToAPoint() throws Exception {
        PointTextSink sink = read("""
                {"host":"a","meta":{"at":1700000000.25,"name":"cpu","x":[{"at":1}]},"v":{"load":1e-1,"users":3,"up":1}}
                  {"note":"ä\\u00df\\ud83d\\ude00\\n","meta":{"name":"cpu","at":"5"},"host":null,"v":{"load":"2.5"}}\r

                {"v":{"up":false},"meta":{"name":"x","at":0},"host":7}""");
        assertThat(sink.rejects).isEmpty();
        assertThat(sink.points)
                .containsExactly(
                        "cpu,host=a load=0.1(DOUBLE) users=3(LONG) up=1(BOOLEAN) 1700000000250000000",
                        "cpu load=2.5(DOUBLE) note=\"äß😀\n\" 5000000000",
                        "x,host=7 up=0(BOOLEAN) 0");
    }

    @Test
    void rejectsBadLinesWithTextAndReason() throws Exception {
        String meta = "{\"meta\":{\"name\":\"a\",\"at\":1},";
        List<String> bad = List.of(
                "nonsense",
                "[]",
                "1",
                meta + "\"v\":{\"load\":1}",
                meta + "\"v\":{\"load\":1}} {}",
                meta + "\"v\":{\"load\":[1]}}",
                meta + "\"v\":{\"load\":1,\"load\":2}}",
                meta + "\"v\":{\"load\":true}}",
                meta + "\"v\":{\"users\":1.0}}",
                meta + "\"note\":\"\\ud800\"}",
                meta + "\"note\":\"open",
                meta + "\"v\":1}",
                "{\"a\":".repeat(100),
                "{\"v\":{\"load\":1},\"meta\":{\"at\":1}}",
                "{\"v\":{\"load\":1},\"meta\":{\"name\":\"a\"}}");
        StringBuilder text = new StringBuilder();
        for (String line : bad) {
            text.append(line).append('\n').append(meta).append("\"v\":{\"load\":1}}\n");
        }
        PointTextSink sink = read(text.toString());
        assertThat(sink.points).hasSize(bad.size());
        assertThat(sink.rejects).extracting(Reject::text).isEqualTo(bad);
        assertThat(sink.rejects.get(1).line()).isEqualTo(3);
        List<String> keys = List.of(
                "JSON",
                "no JSON object",
                "no JSON object",
                "does not end",
                "after the JSON object",
                "v.load",
                "two values at v.load",
                "double",
                "long",
                "note",
                "",
                "fields",
                "not JSON",
                "no metric",
                "no time");
        for (int i = 0; i < keys.size(); i++) {
            assertThat(sink.rejects.get(i).reason()).as(bad.get(i)).contains(keys.get(i));
        }
    }

    @Test
    void checksPaths() {
        for (String path : List.of("a..b", ".a", "v.load.x", "v")) {
            RowMapping mapping = new RowMapping(
                    MetricName.constant("m"),
                    null,
                    List.of(new TagColumn("t", "v.load")),
                    List.of(new FieldColumn("f", path, FieldType.LONG)));
            assertThatThrownBy(() -> TextFormat.jsonLines(TextOptions.DEFAULT, mapping))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(path);
        }
    }
}
