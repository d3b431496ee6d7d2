package io.chimera.node.launch;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.error.ChimeraException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LaneFoldersTest {
    @TempDir
    Path folder;

    @Test
    void refusesFewerLanesThanJournals() throws IOException {
        Files.createDirectories(LaneFolders.journal(folder, 0));
        Files.createDirectories(LaneFolders.journal(folder, 2));

        assertThatCode(() -> LaneFolders.check("q1", folder, 3)).doesNotThrowAnyException();
        assertThatCode(() -> LaneFolders.check("q1", folder, 4)).doesNotThrowAnyException();
        assertThatThrownBy(() -> LaneFolders.check("q1", folder, 2))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("lane-2")
                .hasMessageContaining("queue.lanes: 3");
    }
}
