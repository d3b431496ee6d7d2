package io.chimera.queue.journal.chronicle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.cluster.Positions;
import io.chimera.common.error.ChimeraException;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.Journal.Appended;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import io.chimera.queue.journal.folder.JournalDirectory;
import io.chimera.queue.journal.folder.LowWaterFile;
import io.chimera.queue.journal.folder.UnsyncedFiles;
import io.chimera.queue.journal.offline.JournalCheck;
import io.chimera.queue.journal.offline.JournalRepair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contents of the journal's folder, besides the journal files, that a node may find at its start. */
final class JournalStartTest {
    private static final long A = 0xA;
    private static final long LAST = 50;
    private static final long MARK = 20;

    @TempDir
    private Path folder;

    private final Batches batches = new Batches();

    @BeforeEach
    void writeJournal() {
        try (ChronicleJournal journal = open("q1")) {
            for (long seq = 1; seq <= LAST; seq++) {
                assertThat(batches.append(journal, A, seq, 1, 60_000)).isEqualTo(Appended.OK);
            }
            journal.truncate(Positions.of(A, MARK));
        }
    }

    private ChronicleJournal open(String node) {
        return ChronicleJournal.open(
                new JournalSettings(
                        folder,
                        new SyncSchedule(SyncPolicy.BATCH, 100),
                        new DiskLimits(1L << 30, 0),
                        new RollLimits(1 << 20, 60_000)),
                node,
                new ManualClock());
    }

    private Path lowWater() {
        return folder.resolve(LowWaterFile.NAME);
    }

    private void takesWhatTheFilesHold() {
        try (ChronicleJournal journal = open("q1")) {
            assertThat(journal.position(A)).isEqualTo(LAST);
            assertThat(journal.bases().at(A)).isBetween(1L, MARK);
            assertThat(batches.append(journal, A, LAST + 1, 1)).isEqualTo(Appended.OK);
            journal.truncate(Positions.of(A, MARK));
        }
        assertThat(folder.resolve("low-water.json.damaged")).exists();
        try (ChronicleJournal journal = open("q1")) {
            assertThat(journal.bases()).isEqualTo(Positions.of(A, MARK));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "   ",
                "null",
                "[]",
                "7",
                "garbage",
                "{}",
                "{\"mark\": null, \"crc32c\": \"00000000\"}",
                "{\"mark\": {\"000000000000000a\": null}}",
                "{\"mark\": {\"000000000000000a\": -1}}",
                "{\"mark\": {\"000000000000000a\": 1.5}}",
                "{\"mark\": {\"zzz\": 1}}"
            })
    void aLowWaterMarkThatIsNoneIsSetAside(String content) throws IOException {
        Files.writeString(lowWater(), content);

        takesWhatTheFilesHold();
    }

    @Test
    void everyTornOrChangedLowWaterMarkIsNoticed() throws IOException {
        byte[] good = Files.readAllBytes(lowWater());
        LowWaterFile file = new LowWaterFile(folder);
        assertThat(file.look()).contains(Positions.of(A, MARK));
        for (int length = 0; length < good.length; length++) {
            byte[] torn = new byte[length];
            System.arraycopy(good, 0, torn, 0, length);
            Files.write(lowWater(), torn);
            assertThat(file.look()).as("cut at %d", length).isEmpty();
        }
        for (int bit = 0; bit < 8 * good.length; bit++) {
            byte[] changed = good.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(lowWater(), changed);
            file.look().ifPresent(mark -> assertThat(mark).isEqualTo(Positions.of(A, MARK)));
        }
        Files.writeString(lowWater(), new String(good, UTF_8).replace("20", "21"));
        takesWhatTheFilesHold();
    }

    @Test
    void whatAnInterruptedStartHasLeftDoesNoHarm() throws IOException {
        Files.writeString(folder.resolve("low-water.json.next"), "{\"mar");
        Files.writeString(folder.resolve("journal.json.next"), "{");
        Path start = Files.createDirectory(folder.resolve("00000002"));
        Files.write(start.resolve("metadata.cq4t"), new byte[100]);
        Path file = JournalDirectory.files(folder.resolve("00000001")).get(0);
        Files.writeString(file.resolveSibling(file.getFileName() + ".rewrite"), "half");
        UnsyncedFiles.mark(file);

        try (ChronicleJournal journal = open("q1")) {
            assertThat(journal.damages()).isZero();
            assertThat(journal.position(A)).isEqualTo(LAST);
            assertThat(journal.bases()).isEqualTo(Positions.of(A, MARK));
            assertThat(batches.append(journal, A, LAST + 1, 1)).isEqualTo(Appended.OK);
        }
        try (Stream<Path> left = Files.list(folder.resolve("00000001"))) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .allMatch(name -> name.endsWith(".cq4") || name.equals("metadata.cq4t"));
        }
    }

    @Test
    void anotherNodesJournalIsRefused() {
        assertThatThrownBy(() -> open("q2"))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("belongs to node 'q1', and this is node 'q2'")
                .hasMessageContaining("its own data_dir")
                .hasMessageContaining(folder.resolve("journal.json").toString());
        takesItself();
    }

    /** Somebody has written the new id into the label of a copied folder. */
    @Test
    void aCopiedFolderWithAChangedLabelIsRefused() throws IOException {
        try (ChronicleJournal journal = open("q1")) {
            journal.identity().noteRegistered("1f", false);
        }
        Files.writeString(folder.resolve("journal.json"), "{\"layout\":2,\"node\":\"q2\"}");

        assertThatThrownBy(() -> open("q2"))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("copied from node 'q1'");
    }

    private void takesItself() {
        try (ChronicleJournal journal = open("q1")) {
            assertThat(journal.position(A)).isEqualTo(LAST);
        }
    }

    @Test
    void anotherLayoutIsRefusedByTheNodeAndByTheTools() throws IOException {
        Files.writeString(folder.resolve("journal.json"), "{\"layout\":3,\"node\":\"q1\"}");

        for (Runnable use :
                List.<Runnable>of(() -> open("q1"), () -> JournalCheck.of(folder), () -> JournalRepair.of(folder))) {
            assertThatThrownBy(use::run)
                    .isInstanceOf(ChimeraException.class)
                    .hasMessageContaining("has layout 3, and this version of Chimera reads layout 2")
                    .hasMessageContaining("move the folder away");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"layo", "null", "[]", "{\"layout\": \"x\"}"})
    void aLabelThatCannotBeReadIsWrittenAnew(String content) throws IOException {
        Files.writeString(folder.resolve("journal.json"), content);

        takesItself();

        assertThatThrownBy(() -> open("q2")).hasMessageContaining("belongs to node 'q1'");
    }

    @Test
    void theToolsSayWhereThereIsNoJournal() throws IOException {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));

        assertThatThrownBy(() -> JournalCheck.of(elsewhere))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("There is no journal in " + elsewhere)
                .hasMessageContaining("data_dir");
    }

    @Test
    void theToolsKnowARunningNode() {
        try (ChronicleJournal journal = open("q1")) {
            batches.append(journal, A, LAST + 1, 1);
            assertThat(JournalCheck.of(folder).isInUse()).isTrue();
            assertThat(JournalCheck.of(folder).damaged()).isZero();
            assertThatThrownBy(() -> JournalRepair.of(folder)).hasMessageContaining("in use by another node");
        }
        assertThat(JournalCheck.of(folder).isInUse()).isFalse();
    }
}
