package io.chimera.faults.chaos.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkFolderTest {
    @TempDir
    Path parent;

    @Test
    void isGoneWhenTheRunIsOver() throws IOException {
        WorkFolder folder = WorkFolder.create(parent);
        Files.createDirectories(folder.path().resolve("logs"));
        Files.writeString(folder.path().resolve("logs/q1.log"), "text");

        folder.close();

        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void whatAKilledRunLeftIsRemovedByTheNext() throws IOException {
        Path left = Files.createDirectories(parent.resolve("chimera-chaos-123/logs"))
                .getParent();
        Files.createFile(left.resolve("run.lock"));

        assertThat(WorkFolder.sweep(parent)).containsExactly(left);
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void whatARunNeedsStaysWhileItRuns() {
        try (WorkFolder folder = WorkFolder.create(parent)) {
            assertThat(WorkFolder.sweep(parent)).isEmpty();
            assertThat(folder.path()).isDirectory();
        }
    }

    @Test
    void whatIsKeptIsNotSweptAway() {
        WorkFolder folder = WorkFolder.create(parent);
        folder.keep();
        folder.close();

        assertThat(WorkFolder.sweep(parent)).isEmpty();
        assertThat(folder.path()).isDirectory();
    }

    @Test
    void foldersOfOthersAreLeftAlone() throws IOException {
        Path other = Files.createDirectory(parent.resolve("somebody"));
        Files.createFile(other.resolve("run.lock"));

        assertThat(WorkFolder.sweep(parent)).isEmpty();
        assertThat(other).isDirectory();
    }
}
