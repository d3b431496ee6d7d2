package io.chimera.bench.peers.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultTableTest {
    private static final String[] FIELDS = {"x"};

    @TempDir
    private Path folder;

    @Test
    void totalsOfWindowsAreThoseOfAllTheirPoints() {
        ResultTable table = new ResultTable();
        table.add(window(1, 2, 3).result("k", 0));
        table.add(window(10).result("k", 1));

        FieldTotal total = table.total("k", "x");

        assertThat(total.count()).isEqualTo(4);
        assertThat(total.sum()).isEqualTo(16);
        assertThat(total.least()).isEqualTo(1);
        assertThat(total.greatest()).isEqualTo(10);
        assertThat(total.mean()).isEqualTo(4);
        assertThat(total.variance()).isEqualTo(12.5, within(1e-12)); // (9 + 4 + 1 + 36) / 4
    }

    @Test
    void aWrongVarianceOfAWindowShowsInTheTotal() {
        ResultTable table = new ResultTable();
        WindowResult wrong = window(1, 2, 3).result("k", 0);
        wrong.variances[0] = 5;
        table.add(wrong);

        assertThat(table.total("k", "x").variance()).isEqualTo(5);
    }

    @Test
    void readsBackWhatItWrote() throws IOException {
        ResultTable table = new ResultTable();
        table.add(window(0.1, 0.2).result("cpu,a=b", 0));
        table.write(folder.resolve("results"));

        ResultTable read = ResultTable.read(folder.resolve("results"));

        assertThat(read.total("cpu,a=b", "x").toString())
                .isEqualTo(table.total("cpu,a=b", "x").toString());
    }

    @Test
    void refusesAFileThatIsNoTable() throws IOException {
        Path file = Files.writeString(folder.resolve("other"), "cpu\t1\n");

        assertThatThrownBy(() -> ResultTable.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cpu\t1");
    }

    private static Aggregate window(double... values) {
        Aggregate aggregate = new Aggregate();
        for (double value : values) {
            aggregate.add(new Point("k", 0, FIELDS, new double[] {value}));
        }
        return aggregate;
    }
}
