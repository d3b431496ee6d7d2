package io.chimera.processor.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.error.ChimeraException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LetterFileTest {
    @TempDir
    private Path folder;

    private final AtomicLong dropped = new AtomicLong();

    private static Map<String, Object> letter(int timeMs) {
        return Map.of("time_ms", timeMs, "reason", "a reason of some length");
    }

    @Test
    void keepsTheNewestLettersWithinItsBound() throws IOException {
        LetterFile letters = new LetterFile(folder, "letters.jsonl", 1000, dropped::addAndGet);
        for (int i = 0; i < 100; i++) {
            assertThat(letters.write(letter(i))).isTrue();
        }

        assertThat(Files.size(letters.file())).isLessThanOrEqualTo(1000);
        assertThat(Files.readString(letters.file())).contains("\"time_ms\":99");
        try (var files = Files.list(folder)) {
            assertThat(files).hasSize(2);
        }
        int kept = Files.readAllLines(letters.file()).size()
                + Files.readAllLines(folder.resolve("letters.jsonl.1")).size();
        assertThat(dropped.get() + kept)
                .as("no letter goes without being counted")
                .isEqualTo(100);
        assertThat(letters.space().warning()).isPresent();
    }

    @Test
    void announcesTheLimitBeforeALetterIsDropped() {
        LetterFile letters = new LetterFile(folder, "letters.jsonl", 1000, dropped::addAndGet);
        for (int i = 0; letters.space().warning().isEmpty(); i++) {
            letters.write(letter(i));
            assertThat(dropped).hasValue(0);
        }

        assertThat(letters.space().usedBytes()).isBetween(1_600L, 2_000L);
        assertThat(letters.space().warning())
                .hasValueSatisfying(words -> assertThat(words).contains("letters.jsonl", "2000 bytes"));
    }

    @Test
    void isNoLongerNearlyFullWhenTheOperatorMovedTheFilesAway() throws IOException {
        LetterFile letters = new LetterFile(folder, "letters.jsonl", 1000, dropped::addAndGet);
        for (int i = 0; letters.space().warning().isEmpty(); i++) {
            letters.write(letter(i));
        }
        Files.delete(letters.file());
        Files.delete(folder.resolve("letters.jsonl.1"));
        letters.write(letter(1));

        assertThat(letters.space().warning()).isEmpty();
        assertThat(dropped).hasValue(0);
    }

    @Test
    void goesOnWhereItEnded() throws IOException {
        new LetterFile(folder, "letters.jsonl", 1000, dropped::addAndGet).write(letter(1));
        LetterFile again = new LetterFile(folder, "letters.jsonl", 1000, dropped::addAndGet);
        again.write(letter(2));

        assertThat(Files.readAllLines(again.file())).hasSize(2);
    }

    @Test
    void saysWhenTheDiskDoesNotTakeIt() throws IOException {
        LetterFile letters = new LetterFile(folder, "letters.jsonl", 1000, dropped::addAndGet);
        Files.createDirectory(letters.file());

        assertThat(letters.write(letter(1))).isFalse();
    }

    @Test
    void refusesFolderThatCannotBeMade() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        assertThatThrownBy(() -> new LetterFile(file.resolve("data"), "letters.jsonl", 1000, dropped::addAndGet))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("node.data_dir");
    }
}
