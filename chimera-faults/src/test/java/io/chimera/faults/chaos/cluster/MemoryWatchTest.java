package io.chimera.faults.chaos.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MemoryWatchTest {
    @TempDir
    Path folder;

    @Test
    void readsWhatTheKernelTells() throws IOException {
        Path status = folder.resolve("status");
        Files.writeString(status, "Name:\tjava\nVmHWM:\t  9999 kB\nVmRSS:\t  1024 kB\nThreads:\t3\n");

        assertThat(MemoryWatch.residentBytes(status)).isEqualTo(1 << 20);
        assertThat(MemoryWatch.residentBytes(folder.resolve("gone"))).isZero();
    }

    @Test
    void remembersTheMost() {
        MemoryWatch.Use use = new MemoryWatch.Use(10, 10, 10).with(30).with(20);

        assertThat(use).isEqualTo(new MemoryWatch.Use(10, 20, 30));
    }
}
