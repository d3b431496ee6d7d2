package io.chimera.node.launch;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.Replays;
import io.chimera.common.cluster.Roster;
import io.chimera.common.cluster.control.ControlCodec;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.common.error.ChimeraException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LaneFoldersTest {
    @TempDir
    Path folder;

    @Test
    void refusesFewerLanesThanJournals() throws IOException {
        Path start = Files.createDirectories(LaneFolders.journal(folder, 2).resolve("00000001"));
        Files.writeString(start.resolve("20260521-101500T.cq4"), "records");

        assertThatCode(() -> LaneFolders.check("q1", folder, 3)).doesNotThrowAnyException();
        assertThatCode(() -> LaneFolders.check("q1", folder, 4)).doesNotThrowAnyException();
        assertThatThrownBy(() -> LaneFolders.check("q1", folder, 2))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("lane-2")
                .hasMessageContaining("queue.lanes: 3");
    }

    /** A start that failed, for example at a port in use, leaves a journal without records. */
    @Test
    void allowsFewerLanesThanUnusedJournals() throws IOException {
        Path journal = LaneFolders.journal(folder, 1);
        Files.createDirectories(journal.resolve("00000001"));
        Files.writeString(journal.resolve("lock"), "");
        Files.writeString(
                journal.resolve("journal.json"), "{\"layout\": 2, \"node\": \"q1.1\", \"group\": \"main.1\"}");
        assertThatCode(() -> LaneFolders.check("q1", folder, 1)).doesNotThrowAnyException();

        Files.write(
                journal.resolve("control.json"),
                ControlCodec.encode(new ControlState(
                        LowMark.NONE, 0, Roster.of(List.of("q1", "q2")), new TreeMap<>(), Replays.NONE)));
        assertThatCode(() -> LaneFolders.check("q1", folder, 1)).doesNotThrowAnyException();
    }

    @Test
    void refusesFewerLanesThanRegistered() throws IOException {
        Path journal = LaneFolders.journal(folder, 1);
        Files.createDirectories(journal);
        Files.writeString(
                journal.resolve("journal.json"), "{\"layout\": 2, \"node\": \"q1.1\", \"group\": \"main.1\"}");
        Files.write(
                journal.resolve("control.json"),
                ControlCodec.encode(new ControlState(
                        LowMark.NONE, 0, Roster.of(List.of("q1", "q1.1")), new TreeMap<>(), Replays.NONE)));

        assertThatThrownBy(() -> LaneFolders.check("q1", folder, 1)).hasMessageContaining("lane-1");
    }
}
