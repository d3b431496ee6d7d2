package io.chimera.queue.journal.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.Replays;
import io.chimera.common.cluster.Roster;
import io.chimera.common.cluster.control.ControlCodec;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.common.error.ChimeraException;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A start that fails leaves a journal that does not count as used, because the cluster waits for used journals. */
final class JournalEvidenceTest {
    private static final JournalGroup GROUP = JournalGroup.DEFAULT.lane(1);

    @TempDir
    Path folder;

    private Path journal;

    @BeforeEach
    void nameJournal() {
        journal = folder.resolve("journal");
    }

    @Test
    void aJournalThatWasNeverOpenedIsUnused() throws IOException {
        assertThat(JournalEvidence.isUsed(journal)).isFalse();

        Files.createDirectories(journal);
        assertThat(JournalEvidence.isUsed(journal)).isFalse();
    }

    @Test
    void aJournalIsUsedFromItsFirstRecord() {
        for (int start = 0; start < 3; start++) {
            open("q1.1", GROUP).close();
            assertThat(JournalEvidence.isUsed(journal))
                    .as("after %d failed starts", start + 1)
                    .isFalse();
        }

        try (ChronicleJournal opened = open("q1.1", GROUP)) {
            assertThat(new Batches().append(opened, 7, 1, 1)).isEqualTo(Appended.OK);
        }
        assertThat(JournalEvidence.isUsed(journal)).isTrue();
    }

    @Test
    void aStartThatFailsOnTheJournalItselfChangesNothing() {
        open("q1.1", GROUP).close();

        assertThatThrownBy(() -> open("q2.1", GROUP)).isInstanceOf(ChimeraException.class);
        assertThatThrownBy(() -> open("q1.1", new JournalGroup("east").lane(1))).isInstanceOf(ChimeraException.class);

        assertThat(JournalEvidence.isUsed(journal)).isFalse();
        assertThat(JournalEvidence.of(folder))
                .returns("q1.1", JournalEvidence::node)
                .returns(GROUP, one -> one.group());
    }

    @Test
    void aRegisteredNodeHasAUsedJournal() throws IOException {
        open("q1.1", GROUP).close();
        keepControl("q1", "q2");
        assertThat(JournalEvidence.isUsed(journal))
                .as("other nodes are registered")
                .isFalse();

        keepControl("q1", "q1.1");
        assertThat(JournalEvidence.isUsed(journal)).isTrue();
    }

    @Test
    void anUnreadableCopyOfTheControlStateCountsAsUsed() throws IOException {
        open("q1.1", GROUP).close();
        Files.writeString(journal.resolve("control.json"), "{");

        assertThat(JournalEvidence.isUsed(journal)).isTrue();
        assertThat(JournalEvidence.of(folder).trouble()).isPresent();
    }

    private void keepControl(String... registered) throws IOException {
        ControlState state =
                new ControlState(LowMark.NONE, 0, Roster.of(List.of(registered)), new TreeMap<>(), Replays.NONE);
        Files.write(journal.resolve("control.json"), ControlCodec.encode(state));
    }

    private ChronicleJournal open(String node, JournalGroup group) {
        JournalSettings settings = new JournalSettings(
                journal,
                new SyncSchedule(SyncPolicy.BATCH, 10),
                new DiskLimits(1L << 30, 0),
                new RollLimits(1 << 20, 60_000));
        return ChronicleJournal.open(settings.in(group), node, new ManualClock());
    }
}
