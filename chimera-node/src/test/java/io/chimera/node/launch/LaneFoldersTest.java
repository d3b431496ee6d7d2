package io.chimera.node.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.Replays;
import io.chimera.common.cluster.Roster;
import io.chimera.common.cluster.control.ControlCodec;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.identity.LaneId;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.Journal.Appended;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import io.chimera.queue.journal.chronicle.ChronicleJournal;
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

    /** A node that failed to start with three lanes may start with one; a lane with points must stay. */
    @Test
    void allowsFewerLanesAfterAFailedStartOfRealJournals() {
        for (int lane = 0; lane < 3; lane++) {
            open(lane).close();
        }
        assertThatCode(() -> LaneFolders.check("q1", folder, 1)).doesNotThrowAnyException();

        try (ChronicleJournal journal = open(1)) {
            assertThat(new Batches().append(journal, 7, 1, 1)).isEqualTo(Appended.OK);
        }
        assertThatThrownBy(() -> LaneFolders.check("q1", folder, 1)).hasMessageContaining("queue.lanes: 2");
    }

    private ChronicleJournal open(int lane) {
        JournalSettings settings = new JournalSettings(
                LaneFolders.journal(folder, lane),
                new SyncSchedule(SyncPolicy.BATCH, 10),
                new DiskLimits(1L << 30, 0),
                new RollLimits(1 << 20, 60_000));
        return ChronicleJournal.open(
                settings.in(JournalGroup.DEFAULT.lane(lane)), LaneId.of("q1", lane), new ManualClock());
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
