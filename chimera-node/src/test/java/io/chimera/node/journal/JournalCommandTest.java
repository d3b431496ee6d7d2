package io.chimera.node.journal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.agent.ManualClock;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.Journal.Appended;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import io.chimera.queue.journal.chronicle.ChronicleJournal;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

final class JournalCommandTest {
    private static final long A = 0xA;
    private static final long B = 0xB;

    @TempDir
    private Path folder;

    private final Batches batches = new Batches();
    private String data;
    private Path file;

    /** Batches of 3 points: four of stream A, mixed with two of stream B. */
    @BeforeEach
    void writeJournal() throws IOException {
        data = folder.toString();
        try (ChronicleJournal journal = open()) {
            append(journal, A, 1);
            append(journal, B, 1);
            append(journal, A, 4);
            append(journal, B, 4);
            append(journal, A, 7);
            append(journal, A, 10);
        }
        try (Stream<Path> files = Files.walk(folder)) {
            file = files.filter(path -> path.toString().endsWith(".cq4"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private ChronicleJournal open() {
        return open(folder);
    }

    private static ChronicleJournal open(Path lane) {
        return ChronicleJournal.open(
                new JournalSettings(
                        lane.resolve("journal"),
                        new SyncSchedule(SyncPolicy.NONE, 100),
                        new DiskLimits(1L << 30, 0),
                        new RollLimits(1 << 20, 60_000)),
                "q1",
                new ManualClock());
    }

    private void append(ChronicleJournal journal, long stream, long firstSeq) {
        assertThat(batches.append(journal, stream, firstSeq, 3)).isEqualTo(Appended.OK);
    }

    private JsonNode check() {
        Invocation check = Invocation.of("journal", "check", data, "--json");
        JsonNode report = Json.read("check", check.out());
        assertThat(check.exitCode()).isEqualTo(report.path("damaged").asInt() == 0 ? 0 : 1);
        return report;
    }

    /** Cuts the file in the middle of its last batch. */
    private long tear() throws IOException {
        JsonNode good = check().at("/files/0");
        long end = good.path("valid_bytes").asLong();
        try (RandomAccessFile torn = new RandomAccessFile(file.toFile(), "rw")) {
            torn.setLength(end - 50);
        }
        return end;
    }

    @Test
    void checksAGoodJournal() {
        Invocation check = Invocation.of("journal", "check", data);

        assertThat(check.exitCode()).isZero();
        assertThat(check.out())
                .contains("6 batches in")
                .contains("stream 000000000000000a: 4 batches, 12 points, records 1 to 12")
                .contains("stream 000000000000000b: 2 batches, 6 points, records 1 to 6")
                .contains("1 file, none damaged.");
        assertThat(check().at("/files/0/damage").isNull()).isTrue();
    }

    @Test
    void coversTheJournalsOfAllLanes() throws IOException {
        try (ChronicleJournal journal = open(folder.resolve("lane-1"))) {
            append(journal, B + 1, 1);
        }
        tear();

        JsonNode check = Json.read(
                "check", Invocation.of("journal", "check", data, "--json").out());
        assertThat(check.path("files")).hasSize(2);
        assertThat(check.path("damaged").asInt()).isEqualTo(1);
        assertThat(check.path("points").asLong()).isEqualTo(15 + 3);
        assertThat(check.at("/files/1/file").asText()).startsWith("lane-1/journal/");
        assertThat(Invocation.of("journal", "dump", data).out())
                .contains("stream 000000000000000a")
                .contains("stream 000000000000000c");
        assertThat(Invocation.of("journal", "repair", data).out()).contains("after 5 intact batches");
        assertThat(Invocation.of("journal", "check", data).exitCode()).isZero();
        assertThat(Invocation.of("journal", "check", data + "/lane-1").out()).contains("3 points");
    }

    @Test
    void measuresTheBytesOfAPoint() {
        JsonNode check = check();

        long bytes = check.at("/files/0/valid_bytes").asLong();
        assertThat(check.path("points").asLong()).isEqualTo(18);
        assertThat(check.path("valid_bytes").asLong()).isEqualTo(bytes);
        assertThat(check.path("bytes_per_point").asDouble()).isEqualTo(bytes / 18.0);
        assertThat(Invocation.of("journal", "check", data).out())
                .contains("18 points in " + bytes + " bytes, ")
                .contains(" bytes per point.");
    }

    @Test
    void findsATornTailAndRepairsIt() throws IOException {
        tear();

        Invocation check = Invocation.of("journal", "check", data);
        assertThat(check.exitCode()).isEqualTo(1);
        assertThat(check.out())
                .contains("DAMAGED: at byte ")
                .contains("corrupt batch")
                .contains("stream 000000000000000a: 3 batches, 9 points, records 1 to 9")
                .contains("1 file, 1 damaged.")
                .contains("chimera journal repair " + folder.resolve("journal"));
        JsonNode damage = check().at("/files/0/damage");
        long offset = damage.path("offset").asLong();
        assertThat(offset).isPositive();

        Invocation repair = Invocation.of("journal", "repair", data);
        assertThat(repair.exitCode()).isZero();
        assertThat(repair.out())
                .contains("ends at byte " + offset + " after 5 intact batches")
                .contains("are kept in " + folder.resolve("journal/damaged"))
                .contains("Restart the node");
        assertThat(check().path("damaged").asInt()).isZero();
        assertThat(Invocation.of("journal", "repair", data).out()).contains("nothing was changed");
        assertThat(folder.resolve("journal/damaged")).isNotEmptyDirectory();
    }

    @Test
    void theNodeSaysInOneLineWhereItsJournalIsDamaged() throws IOException {
        tear();
        long offset = check().at("/files/0/damage/offset").asLong();
        Logger logger = (Logger) LoggerFactory.getLogger(JournalSettings.class.getPackageName());
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try (ChronicleJournal journal = open()) {
            assertThat(journal.position(A)).isEqualTo(9);
            assertThat(journal.position(B)).isEqualTo(6);
        } finally {
            logger.detachAppender(lines);
        }
        assertThat(lines.list.stream()
                        .filter(line -> line.getLevel() == Level.ERROR)
                        .map(ILoggingEvent::getFormattedMessage))
                .singleElement()
                .asString()
                .contains("Journal file " + file + " is damaged: at byte " + offset + " there is a corrupt batch")
                .contains("the 5 batches before it")
                .contains("chimera journal repair");
    }

    @Test
    void repairsNothingWhileANodeHasTheJournal() throws IOException {
        tear();
        long length = Files.size(file);
        try (ChronicleJournal journal = open()) {
            assertThat(journal.damages()).isEqualTo(1);
            Invocation repair = Invocation.of("journal", "repair", data);

            assertThat(repair.exitCode()).isEqualTo(1);
            assertThat(repair.err()).contains("in use by another node").contains("stop that node");
            assertThat(Files.size(file)).isEqualTo(length);
        }
    }

    @Test
    void dumpsBatches() {
        assertThat(Invocation.of("journal", "dump", data).out().lines())
                .hasSize(6)
                .first()
                .asString()
                .startsWith("stream 000000000000000a  records 1 to 3  3 points  1970-01-01T00:00:00.000000001Z to"
                        + " 1970-01-01T00:00:00.000000003Z  00000001/");
        JsonNode second = Json.read(
                "dump",
                Invocation.of("journal", "dump", data, "--json", "--stream", "b", "--from", "5", "--limit", "1")
                        .out());
        assertThat(second.path("first_seq").asLong()).isEqualTo(4);
        assertThat(second.path("last_seq").asLong()).isEqualTo(6);
        assertThat(second.path("points").asInt()).isEqualTo(3);
    }

    @Test
    void dumpsPoints() {
        assertThat(Invocation.of("journal", "dump", data, "--points", "--stream", "a", "--from", "5", "--limit", "3")
                        .out()
                        .lines())
                .containsExactly("cpu,host=a value=5i 5", "cpu,host=a value=6i 6", "cpu,host=a value=7i 7");
        assertThat(Invocation.of("journal", "dump", data, "--points").out().lines())
                .hasSize(18);
        assertThat(Invocation.of("journal", "dump", data, "--points", "--json", "--limit", "1")
                        .out())
                .isEqualToIgnoringNewLines(
                        "{\"stream\":\"000000000000000a\",\"seq\":1,\"point\":\"cpu,host=a value=1i 1\"}");
    }

    @Test
    void dumpsWhatIsLeftOfATornJournal() throws IOException {
        tear();

        Invocation dump = Invocation.of("journal", "dump", data);

        assertThat(dump.exitCode()).isZero();
        assertThat(dump.out().lines()).hasSize(5);
        assertThat(dump.err()).contains("is damaged at byte ").contains("before the damage");
    }

    @Test
    void saysWhatIsWrongWithTheCall() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));

        for (String command : List.of("check", "repair", "dump")) {
            Invocation none = Invocation.of("journal", command, empty.toString());
            assertThat(none.exitCode()).isEqualTo(1);
            assertThat(none.err()).contains("There is no journal in " + empty);
        }
        assertThat(Invocation.of("journal", "dump", data, "--stream", "xyz").exitCode())
                .isEqualTo(2);
        assertThat(Invocation.of("journal").exitCode()).isEqualTo(2);
    }
}
