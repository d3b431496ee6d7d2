package io.chimera.bench.peers.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.chimera.bench.peers.job.FieldTotal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TelegrafResultsTest {
    @TempDir
    private Path folder;

    @Test
    void followsTheFileAndMakesVariancesThoseOfThePopulation() throws IOException {
        Path file = folder.resolve("results");
        try (TelegrafResults results = new TelegrafResults(file)) {
            assertThat(results.readOn()).isZero();
            Files.writeString(
                    file, "cpu,a=b x_count=2,x_sum=4,x_min=1,x_max=3,x_mean=2,x_s2=2 17\ncpu,a=b x_count=1,x_s");
            assertThat(results.readOn()).isEqualTo(2);
            Files.writeString(file, "um=2,x_min=2,x_max=2,x_mean=2 18\n", StandardOpenOption.APPEND);
            assertThat(results.readOn()).isEqualTo(3);

            FieldTotal total = results.table().total("cpu,a=b", "x");
            assertThat(total.count()).isEqualTo(3);
            assertThat(total.sum()).isEqualTo(6);
            assertThat(total.variance()).isEqualTo(2.0 / 3, within(1e-12));
        }
    }
}
