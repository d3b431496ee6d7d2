package io.chimera.bench.datasets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataFolderTest {
    private static final long BYTES = 100_000;

    @TempDir
    private Path parent;

    @Test
    void writesObjectsOfWholeEvents() throws IOException {
        try (DataFolder folder = DataFolder.create(parent)) {
            DataFolder.DataSet set = folder.events("a", BYTES, 4);

            assertThat(set.objects()).hasSize(4);
            assertThat(set.bytes()).isBetween(BYTES, BYTES + 4 * 8_192);
            long lines = 0;
            for (String object : set.objects()) {
                String text = Files.readString(folder.file(object));
                assertThat(text).endsWith("}\n");
                lines += text.lines().count();
            }
            assertThat(lines).isEqualTo(set.events());
        }
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void compressedPointsAreTheSamePoints() throws IOException {
        try (DataFolder folder = DataFolder.create(parent)) {
            DataFolder.DataSet plain = folder.points("a", BYTES, 1);
            DataFolder.DataSet gzip = folder.gzipPoints("a", BYTES, 1);

            assertThat(gzip.events()).isEqualTo(plain.events());
            assertThat(gzip.objects().get(0)).endsWith(".lp.gz");
            try (InputStream in = new GZIPInputStream(
                    Files.newInputStream(folder.file(gzip.objects().get(0))))) {
                assertThat(in.readAllBytes())
                        .isEqualTo(
                                Files.readAllBytes(folder.file(plain.objects().get(0))));
            }
        }
    }

    @Test
    void aFailedMeasurementLeavesNoObjects() throws IOException {
        try (DataFolder folder = DataFolder.create(parent)) {
            assertThatThrownBy(() -> {
                        try (DataFolder.DataSet set = folder.events("a", BYTES, 2)) {
                            assertThat(folder.file(set.objects().get(1))).exists();
                            throw new IOException("a failed job");
                        }
                    })
                    .hasMessage("a failed job");
            assertThat(folder.file("")).isEmptyDirectory();
        }
    }

    @Test
    void refusesADataSetLargerThanTheFreeSpace() throws IOException {
        try (DataFolder folder = DataFolder.create(parent)) {
            assertThatThrownBy(() -> folder.events("a", Long.MAX_VALUE / 8, 1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll("does not fit", "--quick");
        }
    }
}
