package io.chimera.dataset.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results of a worker on disk. */
final class WorkerFolderTest {
    private static final JobId JOB = new JobId("j", 7);

    @TempDir
    Path parent;

    @Test
    void keepsItsIdentity() throws IOException {
        try (WorkerFolder first = WorkerFolder.open(parent.resolve("w"), () -> 5)) {
            assertThat(first.id()).isEqualTo(5);
        }
        try (WorkerFolder second = WorkerFolder.open(parent.resolve("w"), () -> 6)) {
            assertThat(second.id()).isEqualTo(5);
        }
    }

    @Test
    void oneProcessAtATime() throws IOException {
        try (WorkerFolder first = WorkerFolder.open(parent.resolve("w"), () -> 5)) {
            assertThat(first.id()).isEqualTo(5);
            assertThatThrownBy(() -> WorkerFolder.open(parent.resolve("w"), () -> 6))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("another process");
        }
    }

    @Test
    void aDamagedIdentityIsRefusedWithARemedy() throws IOException {
        Files.createDirectories(parent.resolve("w"));
        Files.writeString(parent.resolve("w/worker"), "0000000000000000\n");

        assertThatThrownBy(() -> WorkerFolder.open(parent.resolve("w"), () -> 6))
                .hasMessageContaining("delete");
        Files.delete(parent.resolve("w/worker"));
        try (WorkerFolder again = WorkerFolder.open(parent.resolve("w"), () -> 6)) {
            assertThat(again.id()).isEqualTo(6);
        }
    }

    @Test
    void deletesOneRunOfAJob() throws IOException {
        JobId other = new JobId("j", -1);
        try (WorkerFolder folder = WorkerFolder.open(parent.resolve("w"), () -> 5)) {
            folder.prepare(JOB);
            folder.prepare(other);
            Files.writeString(folder.result(JOB, TaskId.split(3)), "x");
            Files.writeString(folder.result(other, TaskId.split(3)), "y");
            assertThat(folder.jobs()).containsExactlyInAnyOrder(JOB, other);

            folder.delete(JOB);
            folder.delete(JOB);

            assertThat(folder.jobs()).containsExactly(other);
            assertThat(folder.result(other, TaskId.split(3))).hasContent("y");
        }
    }
}
