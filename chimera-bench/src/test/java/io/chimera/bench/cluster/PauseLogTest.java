package io.chimera.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PauseLogTest {
    @Test
    void readsEachPauseOnceAndHalfALineLater(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("gc.log");
        PauseLog log = new PauseLog(file);
        Files.writeString(file, """
                [0.004s][info][gc] Using Serial
                [2.705s][info][gc] GC(0) Pause Full (Metadata GC Threshold) 77M->9M(365M) 50.597ms
                [4.308s][info][gc] GC(1) Pause Young (Allocation Failure) 110M->76M(365M) 3""");
        assertThat(log.take()).containsExactly(50.597);

        Files.writeString(file, "7.666ms\n", StandardOpenOption.APPEND);

        assertThat(log.take()).containsExactly(37.666);
        assertThat(log.take()).isEmpty();
        assertThat(log.flag()).isEqualTo("-Xlog:gc:file=" + file);
    }
}
