package io.chimera.queue.source.reject;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DeadLettersTest {
    private static final long ARRIVAL_NS = 1_700_000_000_123_456_789L;

    @TempDir
    Path data;

    private final ManualClock clock = new ManualClock(); // starts on 2026-01-01
    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    private final AtomicLong dropped = new AtomicLong();
    private DeadLetters letters;

    @BeforeEach
    void setUp() {
        letters = new DeadLetters(data, counters, clock);
    }

    private void offer(String text) {
        offer(text.getBytes(StandardCharsets.UTF_8));
    }

    private void offer(byte[] text) {
        letters.offer("influx", ARRIVAL_NS, text, 0, text.length, 7, "missing fields");
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("dead-letters"))) {
            return files.sorted().toList();
        }
    }

    private List<JsonNode> written() throws IOException {
        List<JsonNode> written = new ArrayList<>();
        for (Path file : files()) {
            for (String line : Files.readAllLines(file)) {
                written.add(new ObjectMapper().readTree(line));
            }
        }
        return written;
    }

    @Test
    void writesOneObjectPerLine() throws IOException {
        offer("m,a=\"\n ü");
        offer("second");
        assertThat(letters.doWork()).isEqualTo(2);

        assertThat(files()).containsExactly(data.resolve("dead-letters/2026-01-01-000000.jsonl"));
        JsonNode letter = written().get(0);
        assertThat(letter.get("time").asText()).isEqualTo("2023-11-14T22:13:20.123456789Z");
        assertThat(letter.get("input").asText()).isEqualTo("influx");
        assertThat(letter.get("line").asLong()).isEqualTo(7);
        assertThat(letter.get("reason").asText()).isEqualTo("missing fields");
        assertThat(letter.get("text").asText()).isEqualTo("m,a=\"\n ü");
        assertThat(written()).hasSize(2);
        assertThat(counters.get(QueueCounter.DEAD_LETTERS_WRITTEN)).isEqualTo(2);
    }

    @Test
    void keepsBytesThatAreNoTextAsBase64() throws IOException {
        byte[] text = {'m', (byte) 0xFF, 0, 1};
        offer(text);
        letters.doWork();

        assertThat(written().get(0).get("base64").binaryValue()).isEqualTo(text);
        assertThat(written().get(0).has("text")).isFalse();
    }

    @Test
    void keepsTheWholeTextUpTo64KiB() throws IOException {
        offer("x".repeat(64 << 10));
        letters.doWork();

        assertThat(written().get(0).get("text").asText()).hasSize(64 << 10);
    }

    @Test
    void writesNothingWithoutLetters() {
        assertThat(letters.doWork()).isZero();
        letters.onClose();

        assertThat(data.resolve("dead-letters")).doesNotExist();
    }

    @Test
    void countsWhatComesFasterThanItIsWritten() throws IOException {
        for (int i = 0; i < 100; i++) {
            offer("x".repeat(64 << 10));
        }
        long dropped = counters.get(QueueCounter.DEAD_LETTERS_DROPPED);
        assertThat(dropped).isPositive();

        letters.onClose();

        assertThat(written()).hasSize(100 - (int) dropped);
        assertThat(counters.get(QueueCounter.DEAD_LETTERS_WRITTEN)).isEqualTo(100 - dropped);
    }

    @Test
    void beginsAFileEveryDayAndGoesOnWithItAfterARestart() throws IOException {
        offer("a");
        letters.onClose();
        letters = new DeadLetters(data, counters, clock);
        offer("b");
        letters.doWork();
        clock.advance(Duration.ofDays(1));
        offer("c");
        letters.doWork();

        assertThat(files()).hasSize(2);
        assertThat(Files.readAllLines(files().get(0))).hasSize(2);
        assertThat(files().get(1)).hasFileName("2026-01-02-000000.jsonl");
    }

    @Test
    void keepsFourFilesOfBoundedLength() throws IOException {
        DeadLetterFile file = new DeadLetterFile(data.resolve("dead-letters"), clock, 1_000, dropped::addAndGet);
        byte[] text = "x".repeat(200).getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < 100; i++) {
            file.append(ARRIVAL_NS, "in", i, "why", text, text.length);
        }
        file.close();

        assertThat(files()).hasSize(4);
        for (Path one : files()) {
            assertThat(Files.size(one)).isLessThanOrEqualTo(1_000);
        }
        List<JsonNode> kept = written();
        assertThat(kept.get(kept.size() - 1).get("line").asInt()).isEqualTo(99);
        assertThat(dropped.get() + kept.size())
                .as("no letter goes without being counted")
                .isEqualTo(100);
        assertThat(file.space().warning()).isPresent();
    }

    @Test
    void announcesTheLimitBeforeALetterIsDropped() throws IOException {
        DeadLetterFile file = new DeadLetterFile(data.resolve("dead-letters"), clock, 1_000, dropped::addAndGet);
        byte[] text = "x".repeat(200).getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; file.space().warning().isEmpty(); i++) {
            assertThat(dropped).hasValue(0);
            file.append(ARRIVAL_NS, "in", i, "why", text, text.length);
        }
        file.close();

        assertThat(dropped).hasValue(0);
        assertThat(file.space().usedBytes()).isBetween(3_200L, 4_000L);
        assertThat(file.space().warning())
                .hasValueSatisfying(words -> assertThat(words).contains("dead-letters", "4000 bytes"));
    }

    @Test
    void goesOnInANewFileWhenTheOperatorRemovedTheFileInUse() throws IOException {
        offer("a");
        letters.doWork();
        Files.delete(files().get(0));
        offer("b");
        letters.doWork();

        assertThat(written())
                .singleElement()
                .satisfies(letter -> assertThat(letter.get("text").asText()).isEqualTo("b"));
    }

    @Test
    void keepsSmallFilesOfManyDays() throws IOException {
        DeadLetterFile file = new DeadLetterFile(data.resolve("dead-letters"), clock, 10_000, dropped::addAndGet);
        for (int i = 0; i < 30; i++) {
            clock.advance(Duration.ofDays(1));
            file.append(ARRIVAL_NS, "in", i, "why", new byte[0], 0);
        }
        file.close();

        assertThat(written()).hasSize(30);
        assertThat(dropped).hasValue(0);
    }

    @Test
    void keepsTheFileInUseWhenTheClockGoesBack() throws IOException {
        DeadLetterFile file = new DeadLetterFile(data.resolve("dead-letters"), clock, 100, dropped::addAndGet);
        for (int i = 0; i < 6; i++) {
            clock.advance(Duration.ofDays(1));
            file.append(ARRIVAL_NS, "in", i, "why", new byte[0], 0);
        }
        clock.stepWallClock(Duration.ofDays(-30));
        file.append(ARRIVAL_NS, "in", 99, "why", new byte[0], 0);
        file.close();

        List<JsonNode> kept = written();
        assertThat(kept.get(0).get("line").asInt()).isEqualTo(99);
        assertThat(dropped.get() + kept.size()).isEqualTo(7);
    }

    @Test
    void beginsANewLineBehindALetterThatWasCutOff() throws IOException {
        Path file = Files.createDirectories(data.resolve("dead-letters")).resolve("2026-01-01-000000.jsonl");
        Files.writeString(file, "{\"time\":\"20");
        offer("a");
        letters.doWork();

        assertThat(Files.readAllLines(file)).hasSize(2);
        assertThat(Files.readAllLines(file).get(1)).contains("\"text\":\"a\"");
    }

    @Test
    void countsWhatCannotBeWrittenAndTriesAgain() throws IOException {
        Path blocked = data.resolve("dead-letters");
        Files.writeString(blocked, "a file where the folder should be");
        offer("a");
        assertThat(letters.doWork()).isEqualTo(1);
        assertThat(counters.get(QueueCounter.DEAD_LETTERS_DROPPED)).isEqualTo(1);

        Files.delete(blocked);
        offer("b");
        letters.doWork();

        assertThat(written()).hasSize(1);
        assertThat(written().get(0).get("text").asText()).isEqualTo("b");
    }
}
