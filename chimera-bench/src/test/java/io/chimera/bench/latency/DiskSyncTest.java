package io.chimera.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DiskSyncTest {
    @TempDir
    private Path folder;

    @Test
    void countsEachSyncAndLeavesNothingBehind() throws IOException {
        assertThat(DiskSync.run(folder, 1_000, 1, 5).getTotalCount()).isEqualTo(5);
        assertThat(folder).isEmptyDirectory();
    }
}
