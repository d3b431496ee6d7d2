package io.chimera.dataset.format.parquet;

import static io.chimera.dataset.format.parquet.ParquetRows.columns;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.dataset.format.FormatException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ColumnTypesTest {
    @Test
    void readsFieldsOfEachType() throws IOException {
        PointLines points =
                read("types", "ns", null, "u8", "u32", "u64", "i16", "f32", "decimal9", "decimal18", "day", "us");

        assertThat(points.lines.get(0))
                .isEqualTo("m u8=255u u32=4294967295u u64=18446744073709551615u i16=-32768i f32=0.5 decimal9=-12.34"
                        + " decimal18=1.234567890625E8 day=19782i us=1700000000000000i 1700000000000000000");
    }

    @Test
    void readsTimesOfEachUnit() throws IOException {
        assertThat(read("types", "us", null, "i16").lines).element(1).asString().endsWith(" 1700000000000001000");
        assertThat(read("types", "ns", null, "i16").lines).element(1).asString().endsWith(" 1700000000000000001");
        assertThat(read("types", "day", null, "i16").lines)
                .element(1)
                .asString()
                .endsWith(" 1709164800000000000");
        assertThat(read("types", "seconds", TimeUnit.SECONDS, "i16").lines)
                .element(1)
                .asString()
                .endsWith(" 1700000001000000000");
        assertThat(read("types", "u32", TimeUnit.MILLISECONDS, "i16").lines)
                .element(1)
                .asString()
                .endsWith(" 4294967295000000");
        assertThat(read("int96", "ns", null, "f32").lines).element(1).asString().endsWith(" 1700000000000000001");
    }

    @Test
    void rejectsATimeThatOverflows() throws IOException {
        PointLines points = read("types", "far", null, "i16");

        assertThat(points.lines).isEmpty();
        assertThat(points.rejected).hasSize(4).allMatch(reject -> reject.contains("1970 to 2262"));
    }

    @Test
    void rejectsARowThatTheSinkRefuses() throws IOException {
        PointLines points = read("types", "ns", null, "nan");

        assertThat(points.lines).hasSize(3);
        assertThat(points.rejected).singleElement().asString().startsWith("1: value is NaN");
    }

    @Test
    void rejectsATextThatIsNotUtf8() throws IOException {
        PointLines points = read("types", "ns", null, "bytes", "i16");

        assertThat(points.rejected).singleElement().asString().startsWith("1: a field is not valid UTF-8");
        assertThat(points.lines).hasSize(3);
        assertThat(points.lines.get(0)).startsWith("m i16=-32768i bytes=\"ok\"");
    }

    @Test
    void readsColumnsWithinStructs() throws IOException {
        ParquetMapping mapping = new ParquetMapping(
                "m",
                null,
                "ns",
                null,
                List.of(new ParquetColumn("host", "meta.host")),
                List.of(new ParquetColumn("rack", "meta.inner.rack"), new ParquetColumn("x", "i16")));

        assertThat(ParquetRows.readAll(new ParquetObject(ParquetObject.resource("types")), mapping).lines)
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .containsExactly("m,host=a rack=7i x=-32768i", "m,host=b x=-32768i", "m x=-32768i", "m x=-32768i");
    }

    @ParameterizedTest
    @CsvSource({
        "ns, '', decimal38, decimal38",
        "ns, '', list.list.element, list",
        "ns, '', meta, no column meta",
        "ns, '', gone, no column gone",
        "seconds, '', i16, unit",
        "f32, SECONDS, i16, timestamp",
        "decimal18, SECONDS, i16, refused as time",
        "bytes, SECONDS, i16, refused as time",
    })
    void refusesColumnsThatItCannotRead(String time, String unit, String field, String keyWord) {
        TimeUnit timeUnit = unit.isEmpty() ? null : TimeUnit.valueOf(unit);

        assertThatThrownBy(() -> read("types", time, timeUnit, field))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("year/points.parquet")
                .hasMessageContaining(keyWord);
    }

    @Test
    void refusesATagThatIsNoText() {
        ParquetMapping mapping = new ParquetMapping("m", null, "ns", null, columns("i16"), columns("f32"));

        assertThatThrownBy(() -> ParquetRows.readAll(new ParquetObject(ParquetObject.resource("types")), mapping))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("column i16 of type int32")
                .hasMessageContaining("as tag");
    }

    private static PointLines read(String file, String time, TimeUnit unit, String... fields) throws IOException {
        ParquetMapping mapping = new ParquetMapping("m", null, time, unit, List.of(), columns(fields));
        return ParquetRows.readAll(new ParquetObject(ParquetObject.resource(file)), mapping);
    }
}
