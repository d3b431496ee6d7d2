package io.chimera.dataset.format.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.model.FieldType;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.format.MemoryObject;
import io.chimera.dataset.format.PointTextSink;
import io.chimera.dataset.format.PointTextSink.Reject;
import io.chimera.dataset.format.codec.CodecLimits;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CsvTest {
    private static final RowMapping MAPPING = new RowMapping(
            MetricName.constant("weather"),
            new TimeColumn("time", TimeFormat.of("yyyy-MM-dd HH:mm", ZoneOffset.UTC)),
            List.of(new TagColumn("city", "place")),
            List.of(
                    new FieldColumn("degrees", "t", FieldType.DOUBLE),
                    new FieldColumn("count", "n", FieldType.LONG),
                    new FieldColumn("rain", "r", FieldType.BOOLEAN),
                    new FieldColumn("note", "note", FieldType.TEXT)));

    private static final String HEADER = "time,place,t,n,r,note\n";

    private static PointTextSink read(TextFormat format, byte[] bytes) throws Exception {
        return PointTextSink.of(format, new MemoryObject("a.csv", bytes), new ByteRange(0, bytes.length));
    }

    private static PointTextSink read(String text) throws Exception {
        TextFormat format = TextFormat.csv(TextOptions.DEFAULT, CsvOptions.DEFAULT, MAPPING);
        return read(format, text.getBytes(UTF_8));
    }

    @Test
    void mapsColumnsToAPoint() throws Exception {
        PointTextSink sink = read(
                HEADER + "2024-01-01 00:00,Köln, 1.5 ,-3,true,\"a \"\"b\"\", c\"\n" + "2024-01-01 00:01,,2,,,\r\n");
        assertThat(sink.points)
                .containsExactly(
                        "weather,city=Köln degrees=1.5(DOUBLE) count=-3(LONG) rain=1(BOOLEAN) note=\"a \"b\", c\""
                                + " 1704067200000000000",
                        "weather degrees=2.0(DOUBLE) 1704067260000000000");
        assertThat(sink.rejects).isEmpty();
    }

    @Test
    void rejectsBadLinesWithTextAndReason() throws Exception {
        PointTextSink sink = read(HEADER
                + "2024-01-01 00:00,a,x,,,\n"
                + "2024-01-01 00:00,a,1,1.5,,\n"
                + "2024-01-01 00:00,a,1,1,maybe,\n"
                + "yesterday,a,1,1,1,\n"
                + ",a,1,1,1,\n"
                + "2024-01-01 00:00,a,,,,\n"
                + "2024-01-01 00:00,a\n"
                + "2024-01-01 00:00,a,1,1,1,,\n"
                + "2024-01-01 00:00,\"a,1,1,1,\n"
                + "2024-01-01 00:00,\"a\"b,1,1,1,\n"
                + "2024-01-01 00:00,a,1,,,good\n");
        assertThat(sink.points).hasSize(1);
        assertThat(sink.rejects).extracting(Reject::line).containsExactly(2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L);
        assertThat(sink.rejects.get(0).text()).isEqualTo("2024-01-01 00:00,a,x,,,");
        List<String> keys = List.of(
                "double",
                "long",
                "boolean",
                "time",
                "no time",
                "fields",
                "2 columns",
                "7 columns",
                "quoted_lines",
                "after a quoted value");
        for (int i = 0; i < keys.size(); i++) {
            assertThat(sink.rejects.get(i).reason()).contains(keys.get(i));
        }
    }

    /** Nanoseconds that are read as seconds are beyond all times. */
    @Test
    void theReasonOfATimeThatIsTooLargeNamesTheKey() throws Exception {
        RowMapping seconds = new RowMapping(
                MetricName.constant("m"),
                new TimeColumn("1", TimeFormat.of("s", ZoneOffset.UTC)),
                List.of(),
                List.of(new FieldColumn("v", "2", FieldType.LONG)));
        TextFormat format = TextFormat.csv(TextOptions.DEFAULT, new CsvOptions(',', '"', false), seconds);

        PointTextSink sink = read(format, "1700000000000000000,1\n".getBytes(UTF_8));

        assertThat(sink.rejects).singleElement().satisfies(reject -> assertThat(reject.reason())
                .contains("column 1", "1970 to 2262", "time_format"));
    }

    @Test
    void readsColumnsByNumber() throws Exception {
        RowMapping mapping = new RowMapping(
                MetricName.column("1"), null, List.of(), List.of(new FieldColumn("v", "3", FieldType.LONG)));
        TextFormat format = TextFormat.csv(TextOptions.DEFAULT, new CsvOptions(';', '\'', false), mapping);
        PointTextSink sink = read(format, "a;'x;y';1\nb;;2;more\nc;3\n;;4\n".getBytes(UTF_8));
        assertThat(sink.points).containsExactly("a v=1(LONG) arrival", "b v=2(LONG) arrival");
        assertThat(sink.rejects).extracting(Reject::line).containsExactly(3L, 4L);
        assertThatThrownBy(() -> TextFormat.csv(TextOptions.DEFAULT, new CsvOptions(',', '"', false), MAPPING))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"time\"");
    }

    @Test
    void rejectsOtherEncodings() throws Exception {
        TextFormat format = TextFormat.csv(TextOptions.DEFAULT, CsvOptions.DEFAULT, MAPPING);
        byte[] text = (HEADER + "2024-01-01 00:00,Köln,1,,,\n2024-01-01 00:00,a,1,,,\n").getBytes(ISO_8859_1);
        PointTextSink sink = read(format, text);
        assertThat(sink.points).hasSize(1);
        assertThat(sink.rejects).extracting(Reject::reason).containsExactly("not UTF-8");
    }

    @Test
    void readsTheHeaderForEachSplit() throws Exception {
        TextFormat format = TextFormat.csv(TextOptions.DEFAULT, CsvOptions.DEFAULT, MAPPING);
        MemoryObject object = new MemoryObject(
                "a.csv", ("\uFEFF" + HEADER + "2024-01-01 00:00,a,1,,,\n".repeat(10_000)).getBytes(UTF_8));
        PointTextSink sink = PointTextSink.of(format, object, new ByteRange(50_000, 50_024));
        assertThat(sink.points).hasSize(1);
        assertThat(object.read()).isLessThan(300_000);
    }

    @Test
    void tellsTheColumnsOfAnotherHeader() {
        assertThatThrownBy(() -> read("time,place\n1,2\n"))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("a.csv: no column t")
                .hasMessageContaining("[time, place]");
        assertThatThrownBy(() -> read("time,time,place,t,n,r,note\n"))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("two columns time");
        assertThatThrownBy(() -> read("\"time"))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("header");
        TextOptions options = new TextOptions(null, CodecLimits.DEFAULT, 10, false);
        assertThatThrownBy(() -> read(TextFormat.csv(options, CsvOptions.DEFAULT, MAPPING), HEADER.getBytes(UTF_8)))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("header");
    }

    @Test
    void oneColumnMayHaveTwoUses() throws Exception {
        RowMapping mapping = new RowMapping(
                MetricName.column("m"),
                null,
                List.of(new TagColumn("m", "m")),
                List.of(new FieldColumn("v", "v", FieldType.LONG), new FieldColumn("w", "v", FieldType.TEXT)));
        TextFormat format = TextFormat.csv(TextOptions.DEFAULT, CsvOptions.DEFAULT, mapping);
        assertThat(read(format, "v,m\n1,a\n".getBytes(UTF_8)).points)
                .containsExactly("a,m=a v=1(LONG) w=\"1\" arrival");
    }

    @Test
    void checksMappings() {
        FieldColumn field = new FieldColumn("v", "v", FieldType.LONG);
        assertThatThrownBy(() -> new RowMapping(MetricName.constant("a"), null, List.of(), List.of()))
                .hasMessageContaining("field");
        assertThatThrownBy(() -> new RowMapping(MetricName.constant("a"), null, List.of(), List.of(field, field)))
                .hasMessageContaining("\"v\"");
        assertThatThrownBy(() -> new FieldColumn("v", "v", FieldType.UNSIGNED)).hasMessageContaining("unsigned");
        assertThatThrownBy(() -> MetricName.constant("")).hasMessageContaining("metric");
    }
}
