package io.chimera.processor.flusher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.common.error.ChimeraException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RowDeadLettersTest {
    private static final Row ROW = Row.ofLong("m", Tags.NONE, 1, 1);

    @TempDir
    private Path folder;

    @Test
    void keepsTheNewestRowsWithinItsBound() throws IOException {
        RowDeadLetters letters = new RowDeadLetters(folder, 1000);
        for (int i = 0; i < 100; i++) {
            assertThat(letters.write(i, "s", "p", ROW, "no")).isTrue();
        }

        assertThat(Files.size(letters.file())).isLessThanOrEqualTo(1000);
        assertThat(Files.readString(letters.file())).contains("\"time_ms\":99,");
        try (var files = Files.list(folder)) {
            assertThat(files).hasSize(2);
        }
    }

    @Test
    void goesOnWhereItEnded() throws IOException {
        new RowDeadLetters(folder, 1000).write(1, "s", "p", ROW, "no");
        RowDeadLetters again = new RowDeadLetters(folder, 1000);
        again.write(2, "s", "p", ROW, "no");

        assertThat(Files.readAllLines(again.file())).hasSize(2);
    }

    @Test
    void saysWhenTheDiskDoesNotTakeIt() throws IOException {
        RowDeadLetters letters = new RowDeadLetters(folder, 1000);
        Files.createDirectory(letters.file());

        assertThat(letters.write(1, "s", "p", ROW, "no")).isFalse();
    }

    @Test
    void refusesFolderThatCannotBeMade() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        assertThatThrownBy(() -> new RowDeadLetters(file.resolve("data"), 1000))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("node.data_dir");
    }
}
