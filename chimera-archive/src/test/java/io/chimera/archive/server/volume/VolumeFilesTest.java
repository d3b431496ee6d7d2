package io.chimera.archive.server.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.config.VolumeConfig;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.error.ChimeraException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A volume is created once, and found again after an interrupted creation. */
final class VolumeFilesTest {
    private final Clock clock = new SystemClock();
    private Path first;
    private Path second;

    @TempDir
    private Path folder;

    @BeforeEach
    void namePaths() {
        first = folder.resolve("data/a");
        second = folder.resolve("data/b");
    }

    private Volume open(String... devices) {
        return Volume.openOrCreate(
                Sections.of(VolumeConfig.class, "devices", List.of(devices), "size", ByteSize.ofMebibytes(32)),
                folder,
                clock);
    }

    private static void unname(Path device) throws IOException {
        Files.move(device, device.resolveSibling(device.getFileName() + ".new"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"both", "first", "second"})
    void aVolumeWhoseFilesHadNotAllTheirNamesIsTheSameVolume(String unnamed) throws IOException {
        try (Volume made = open("data/a", "data/b")) {
            int stream = made.store().open(new StreamSettings("s", "kind", 0));
            made.store().append(stream, 1, new UnsafeBuffer(new byte[100]), 0, 100);
        }
        if (!unnamed.equals("second")) {
            unname(first);
        }
        if (!unnamed.equals("first")) {
            unname(second);
        }
        try (Volume again = open("data/a", "data/b")) {
            assertThat(again.store().streams()).singleElement().satisfies(stream -> assertThat(stream.appended())
                    .isEqualTo(1));
        }
        assertThat(folder.resolve("data")).isDirectoryNotContaining("glob:**.new");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1 << 22})
    void whatNeverBecameAVolumeIsMadeAnew(int bytes) throws IOException {
        Files.createDirectories(folder.resolve("data"));
        Files.write(folder.resolve("data/a.new"), new byte[bytes]);
        try (Volume made = open("data/a", "data/b")) {
            assertThat(made.store().streams()).isEmpty();
        }
        assertThat(folder.resolve("data")).isDirectoryNotContaining("glob:**.new");
        assertThat(second).exists();
    }

    @Test
    void whatIsNamedFromTheRootIsNotMade() {
        Path missing = folder.resolve("mnt/points.volume");
        assertThatThrownBy(() -> open(missing.toString()))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining(missing.toString())
                .hasMessageContaining("chimera archive create");
        assertThat(folder.resolve("mnt")).doesNotExist();
        Volume.openOrCreate(
                        Sections.of(
                                VolumeConfig.class,
                                "devices",
                                List.of("mnt/points.volume"),
                                "size",
                                ByteSize.ofMebibytes(32)),
                        folder,
                        clock)
                .close();
        open(missing.toString()).close();
    }
}
