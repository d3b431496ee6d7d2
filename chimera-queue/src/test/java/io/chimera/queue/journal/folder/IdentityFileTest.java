package io.chimera.queue.journal.folder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IdentityFileTest {
    @TempDir
    Path folder;

    @Test
    void lastsAsLongAsItsFolder() throws IOException {
        IdentityFile first = open();
        assertThat(first.id()).isPositive();
        assertThat(first.isRegistered()).isFalse();
        assertThat(open().id()).isEqualTo(first.id());

        first.noteRegistered();

        assertThat(first.isRegistered()).isTrue();
        assertThat(open().isRegistered()).isTrue();
        assertThat(open().id()).isEqualTo(first.id());
    }

    @Test
    void differsInAnotherFolder() throws IOException {
        assertThat(new IdentityFile(Files.createDirectory(folder.resolve("other")), Runnable::run, false).id())
                .isNotEqualTo(open().id());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "[]", "7", "{\"id\": 7.5}", "{\"id\": \"-1\"}", "{\"id\": \"x\"}", "{\"id\": \"0\"}"})
    void replacesAnUnreadableFile(String content) throws IOException {
        Files.writeString(folder.resolve(IdentityFile.NAME), content);

        long id = open().id();

        assertThat(id).isPositive();
        assertThat(open().id()).isEqualTo(id);
        assertThat(open().isRegistered()).isFalse();
    }

    @Test
    void triesAgainToNoteTheRegistrationAfterADiskError() throws IOException {
        IdentityFile file = open();
        Path inTheWay = Files.createDirectory(folder.resolve(IdentityFile.NAME + ".next"));
        file.noteRegistered();
        assertThat(file.isRegistered()).isFalse();

        Files.delete(inTheWay);
        file.noteRegistered();

        assertThat(open().isRegistered()).isTrue();
    }

    @Test
    void isReplacedWhenTheJournalIsDamaged() throws IOException {
        IdentityFile first = open();
        first.noteRegistered();

        IdentityFile damaged = new IdentityFile(folder, Runnable::run, true);

        assertThat(damaged.id()).isNotEqualTo(first.id());
        assertThat(damaged.isRegistered()).isFalse();
        assertThat(open().id()).isEqualTo(damaged.id());
    }

    private IdentityFile open() throws IOException {
        return new IdentityFile(folder, Runnable::run, false);
    }
}
