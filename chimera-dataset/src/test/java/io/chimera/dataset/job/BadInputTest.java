package io.chimera.dataset.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.luben.zstd.ZstdCompressCtx;
import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.format.EventFormat;
import io.chimera.dataset.format.parquet.ParquetColumn;
import io.chimera.dataset.format.parquet.ParquetFormat;
import io.chimera.dataset.format.parquet.ParquetMapping;
import io.chimera.dataset.source.Retries;
import io.chimera.dataset.source.SourceFault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs with splits and events that cannot be read. */
final class BadInputTest {
    private static final int LINES = 40_000;
    private static final int SPLIT = JobRig.SPLIT;

    /** A byte of the second split. The reader of the first one requests 64 KiB after its end. */
    private static final int BAD = 250_000;

    private static final String LINE = "%d,%d\n";
    private static final BadInput SKIP = new BadInput(OnBadSplit.SKIP, RejectLimits.DEFAULT);
    private static final EventFormat CSV = JobRig.CSV;

    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock();
    private final MemorySource source = new MemorySource();

    private static byte[] csv(int firstSecond) {
        return JobRig.csv(firstSecond, LINES);
    }

    private JobProgress.Snapshot run(String name, EventFormat format, BadInput badInput) throws IOException {
        return new JobRig(folder.resolve(name), clock)
                .run(source, List.of("*"), format, badInput)
                .snapshot();
    }

    private String text(String name, String file) throws IOException {
        return Files.readString(folder.resolve(name).resolve(file));
    }

    private List<JsonNode> lines(String name, String file) throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : text(name, file).lines().toList()) {
            lines.add(new ObjectMapper().readTree(line));
        }
        return lines;
    }

    @Test
    void aBadSplitEndsTheJobByDefault() throws IOException {
        source.with("a.csv", csv(0)).fail("a.csv", SourceFault.CHECKSUM, BAD);

        assertThatThrownBy(() -> run("fail", CSV, BadInput.DEFAULT))
                .isInstanceOf(JobException.class)
                .hasMessageContainingAll("split 1", "a.csv", "CHECKSUM");
        assertThat(folder.resolve("fail/splits/000001.skipped")).doesNotExist();
    }

    @Test
    void theRowsAreThoseOfTheOtherSplits() throws IOException {
        source.with("a.csv", csv(0)).with("b.csv", csv(LINES)).fail("a.csv", SourceFault.CHANGED, BAD);

        JobProgress.Snapshot end = run("skip", CSV, SKIP);

        JsonNode skipped = lines("skip", "skipped.jsonl").get(0);
        assertThat(lines("skip", "skipped.jsonl")).hasSize(1);
        assertThat(skipped.get("object").asText()).isEqualTo("a.csv");
        assertThat(skipped.get("from").asInt()).isEqualTo(SPLIT);
        assertThat(skipped.get("to").asInt()).isEqualTo(2 * SPLIT);
        assertThat(skipped.get("reason").asText()).isEqualTo("changed");
        assertThat(end.splitsSkipped()).isEqualTo(1);
        long lost = new String(csv(0), UTF_8)
                .substring(SPLIT, 2 * SPLIT)
                .chars()
                .filter(c -> c == '\n')
                .count();
        assertThat(end.points()).isEqualTo(2 * LINES - lost);
        assertThat(counted("skip")).isEqualTo(end.points());
    }

    private long counted(String name) throws IOException {
        return text(name, "rows.lp")
                .lines()
                .filter(row -> row.startsWith("load.value.count"))
                .mapToLong(row -> Long.parseLong(row.replaceAll(".* value=(\\d+)i .*", "$1")))
                .sum();
    }

    @Test
    void aSkippedSplitStaysSkippedAfterItsRepair() throws IOException {
        source.with("a.csv", csv(0)).fail("a.csv", SourceFault.NOT_FOUND, BAD);
        run("again", CSV, SKIP);
        String rows = text("again", "rows.lp");
        String report = text("again", "skipped.jsonl");
        source.repair();

        JobProgress.Snapshot end = run("again", CSV, BadInput.DEFAULT);

        assertThat(text("again", "rows.lp")).isEqualTo(rows);
        assertThat(text("again", "skipped.jsonl")).isEqualTo(report);
        assertThat(end.splitsSkipped()).isEqualTo(1);
    }

    @Test
    void aJobThatFailedContinuesWithoutItsBadSplits() throws IOException {
        source.with("a.csv", csv(0)).fail("a.csv", SourceFault.FORBIDDEN, BAD);
        assertThatThrownBy(() -> run("later", CSV, BadInput.DEFAULT)).isInstanceOf(JobException.class);

        assertThat(run("later", CSV, SKIP).splitsSkipped()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(SourceFault.class)
    void onlyFaultsOfAnObjectAreSkippedAndTheAttemptsAreBounded(SourceFault fault) throws IOException {
        source.with("a.csv", csv(0)).fail("a.csv", fault, BAD);

        if (fault.mayConcernObjectAlone()) {
            assertThat(run("fault", CSV, SKIP).splitsSkipped()).isEqualTo(1);
        } else {
            assertThatThrownBy(() -> run("fault", CSV, SKIP))
                    .isInstanceOf(JobException.class)
                    .hasMessageContaining("split 1");
            assertThat(folder.resolve("fault/skipped.jsonl")).doesNotExist();
        }
        assertThat(source.failed()).isEqualTo(fault.isRetryable() ? Retries.Limits.DEFAULT.attemptsMax() : 1);
    }

    @Test
    void aJobWithoutAnyGoodSplitEnds() throws IOException {
        source.with("a.csv", "time,other\n1,2\n".getBytes(UTF_8));

        assertThatThrownBy(() -> run("none", CSV, SKIP))
                .isInstanceOf(JobException.class)
                .hasMessageContainingAll("all 1 splits", "value");
    }

    /** The reader of a damaged split cannot prove where the next one begins. */
    @Test
    void aDamagedFrameTakesTheRestOfItsObjectAlong() throws IOException {
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        try (ZstdCompressCtx zstd = new ZstdCompressCtx().setChecksum(true)) {
            for (int i = 0; i < 8; i++) {
                frames.write(zstd.compress(noise(i)));
            }
        }
        byte[] damaged = frames.toByteArray();
        int middle = damaged.length / 2;
        for (int i = 0; i < 600; i++) {
            damaged[middle + i] ^= 0x55;
        }
        source.with("a.csv.zst", damaged).with("b.csv", csv(0));

        JobProgress.Snapshot end = run("frames", CSV, SKIP);

        List<JsonNode> skipped = lines("frames", "skipped.jsonl");
        assertThat(skipped).hasSizeGreaterThan(1);
        assertThat(skipped.get(0).get("reason").asText()).isEqualTo("damaged");
        assertThat(skipped.get(skipped.size() - 1).get("to").asLong()).isEqualTo(damaged.length);
        for (int i = 1; i < skipped.size(); i++) {
            assertThat(skipped.get(i).get("from").asLong())
                    .isEqualTo(skipped.get(i - 1).get("to").asLong());
        }
        assertThat(skipped).anyMatch(split -> split.get("reason").asText().equals("after_skipped"));
        assertThat(counted("frames")).isEqualTo(end.points()).isGreaterThan(LINES);
        assertThat(end.splitsSkipped()).isEqualTo(skipped.size());
        assertThat(end.splitsComputed()).isEqualTo(end.splits() - skipped.size());
    }

    /** Lines that zstd cannot make short. */
    private static byte[] noise(int seed) {
        StringBuilder text = new StringBuilder(seed == 0 ? "time,value\n" : "");
        new Random(seed)
                .ints(LINES, 0, 1_000_000_000)
                .forEach(value -> text.append(LINE.formatted(1_700_000_000 + value % 1_000, value)));
        return text.toString().getBytes(UTF_8);
    }

    @Test
    void anObjectWithADamagedFooterIsSkippedAsAWhole() throws IOException {
        source.with("a.parquet", "PAR1 but no footer; only some text at the end".getBytes(UTF_8));
        EventFormat parquet = new ParquetFormat(new ParquetMapping(
                "load", null, "time", null, List.of(), List.of(new ParquetColumn("value", "value"))));
        assertThatThrownBy(() -> run("footer", parquet, BadInput.DEFAULT)).hasMessageContaining("a.parquet");

        assertThatThrownBy(() -> run("footer", parquet, SKIP))
                .isInstanceOf(JobException.class)
                .hasMessageContainingAll("all 1 splits", "PAR1");
    }

    private static byte[] mixed() {
        StringBuilder text = new StringBuilder("time,value\n");
        for (int i = 0; i < LINES; i++) {
            text.append(LINE.formatted(1_700_000_000 + i, i % 10));
            text.append(i % 5 == 0 ? "bad ü" + i + "\n" : "");
        }
        return text.toString().getBytes(UTF_8);
    }

    @Test
    void theFirstRejectedEventsAreKeptOnceAlsoAfterALostResult() throws IOException {
        source.with("a.csv", mixed());
        BadInput few = new BadInput(OnBadSplit.FAIL, new RejectLimits(10, 25, 5));

        JobProgress.Snapshot end = run("few", CSV, few);
        String kept = text("few", "rejected.jsonl");

        assertThat(end.rejected()).isEqualTo(LINES / 5);
        List<JsonNode> events = lines("few", "rejected.jsonl");
        assertThat(events).hasSize(25);
        assertThat(events.get(0).get("text").asText()).as("no half character").isEqualTo("bad ");
        assertThat(events.get(0).get("line").asInt()).isEqualTo(3);
        assertThat(events.get(0).get("reason").asText()).contains("columns");
        assertThat(events.get(24).get("split").asInt()).isEqualTo(2);
        assertThat(events.get(24).get("from").asInt()).isEqualTo(2 * SPLIT);
        Files.delete(folder.resolve("few/splits/000001"));
        run("few", CSV, few);
        assertThat(text("few", "rejected.jsonl")).isEqualTo(kept);
    }

    @Test
    void rejectedEventsOfASkippedSplitAreNotKept() throws IOException {
        source.with("a.csv", mixed()).fail("a.csv", SourceFault.CHECKSUM, 2 * SPLIT - 1);

        run("gone", CSV, SKIP);

        assertThat(lines("gone", "rejected.jsonl"))
                .isNotEmpty()
                .noneMatch(event -> event.get("split").asInt() == 1);
    }
}
