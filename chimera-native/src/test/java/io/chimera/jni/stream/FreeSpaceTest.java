package io.chimera.jni.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FreeSpaceTest {
    @TempDir
    private Path folder;

    @Test
    void reportsTheRoomOfTheFileSystem() throws IOException {
        assertThat(FreeSpace.usableBytes(folder)).isPositive();
    }

    @Test
    void failedProbeIsNotAFullDisk() {
        assertThatThrownBy(() -> FreeSpace.usableBytes(folder.resolve("missing")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("unknown");
    }
}
