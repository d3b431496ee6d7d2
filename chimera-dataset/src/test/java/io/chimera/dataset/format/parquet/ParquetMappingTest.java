package io.chimera.dataset.format.parquet;

import static io.chimera.dataset.format.parquet.ParquetRows.columns;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ParquetMappingTest {
    @Test
    void listsTheColumnsInOrder() {
        ParquetMapping mapping = new ParquetMapping(null, "name", "t", null, columns("a", "b"), columns("x"));

        assertThat(mapping.paths()).containsExactly("name", "t", "a", "b", "x");
    }

    @Test
    void refusesMappingsThatMakeNoPoint() {
        List<ParquetColumn> x = columns("x");
        String[] many = IntStream.range(0, 65).mapToObj(i -> "c" + i).toArray(String[]::new);

        refused(null, null, "t", columns(), x, "either");
        refused("m", "name", "t", columns(), x, "either");
        refused("", null, "t", columns(), x, "empty");
        refused("m", null, "t", columns(), columns(), "no field");
        refused("m", null, "t", columns(many), x, "65 tag columns");
        refused("m", null, "x", columns(), x, "mapped twice");
        refused("m", null, "", columns(), x, "no name");
        List<ParquetColumn> sameName = List.of(new ParquetColumn("x", "a"), new ParquetColumn("x", "b"));
        refused("m", null, "t", sameName, x, "tag x");
        refused("m", null, "t", columns(), sameName, "field x");
        assertThatThrownBy(() -> new ParquetColumn("a", "")).isInstanceOf(IllegalArgumentException.class);
    }

    private static void refused(
            String metric,
            String metricColumn,
            String time,
            List<ParquetColumn> tags,
            List<ParquetColumn> fields,
            String keyWord) {
        assertThatThrownBy(() -> new ParquetMapping(metric, metricColumn, time, null, tags, fields))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(keyWord);
    }
}
