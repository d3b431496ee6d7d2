package io.chimera.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.error.ChimeraException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LetterFileTest {
    @TempDir
    private Path folder;

    private static Map<String, Object> letter(int timeMs) {
        return Map.of("time_ms", timeMs, "reason", "a reason of some length");
    }

    @Test
    void keepsTheNewestLettersWithinItsBound() throws IOException {
        LetterFile letters = new LetterFile(folder, "letters.jsonl", 1000);
        for (int i = 0; i < 100; i++) {
            assertThat(letters.write(letter(i))).isTrue();
        }

        assertThat(Files.size(letters.file())).isLessThanOrEqualTo(1000);
        assertThat(Files.readString(letters.file())).contains("\"time_ms\":99");
        try (var files = Files.list(folder)) {
            assertThat(files).hasSize(2);
        }
    }

    @Test
    void goesOnWhereItEnded() throws IOException {
        new LetterFile(folder, "letters.jsonl", 1000).write(letter(1));
        LetterFile again = new LetterFile(folder, "letters.jsonl", 1000);
        again.write(letter(2));

        assertThat(Files.readAllLines(again.file())).hasSize(2);
    }

    @Test
    void saysWhenTheDiskDoesNotTakeIt() throws IOException {
        LetterFile letters = new LetterFile(folder, "letters.jsonl", 1000);
        Files.createDirectory(letters.file());

        assertThat(letters.write(letter(1))).isFalse();
    }

    @Test
    void refusesFolderThatCannotBeMade() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        assertThatThrownBy(() -> new LetterFile(file.resolve("data"), "letters.jsonl", 1000))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("node.data_dir");
    }
}
