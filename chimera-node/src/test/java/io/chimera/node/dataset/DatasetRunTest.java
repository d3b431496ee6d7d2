package io.chimera.node.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code dataset run} with files. */
final class DatasetRunTest {
    private static final Path EXAMPLE = ChimeraHome.find().folder().resolve("examples/datasets/backfill.yaml");

    @TempDir
    Path folder;

    private Invocation run(Path job) {
        return LocalCommand.run(job, folder.resolve("states"));
    }

    private Path job(String text) throws IOException {
        return Files.writeString(folder.resolve("job.yaml"), text);
    }

    @Test
    void theExampleGivesARowPerMinuteHostFieldAndFunction() throws IOException {
        Invocation first = run(EXAMPLE);
        assertThat(first.exitCode()).as(first.err()).isZero();
        JsonNode figures = Json.read("dataset run", first.out());
        List<String> rows = rows();
        Invocation again = run(EXAMPLE);

        assertThat(figures.path("points").asLong()).isEqualTo(180);
        assertThat(figures.path("rejected").asLong()).isZero();
        assertThat(rows).hasSize(10 * 3 * 2 * 3).contains("cpu.user.count,host=web1 value=6i 1767225600000000000");
        assertThat(first.err()).isEmpty();
        assertThat(Path.of(figures.path("report").asText())).isRegularFile();
        assertThat(folder.resolve("states/backfill/report.json")).content().contains("\"points\" : 180");
        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(rows()).isEqualTo(rows);
    }

    private List<String> rows() throws IOException {
        return Files.readAllLines(folder.resolve("states/backfill/rows.lp"));
    }

    @Test
    void countsEventsThatCannotBeReadOrHaveNoTime() throws IOException {
        Files.writeString(folder.resolve("a.lp"), "m,h=a v=1 1000000000\nm,h=a v=2\nnonsense\n");
        Invocation run = run(job("""
                name: bad
                source: { url: "file:." }
                objects: ["*.lp"]
                pipelines: { all: { aggregate: { functions: [sum] } } }
                """));

        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode figures = Json.read("dataset run", run.out());
        assertThat(figures.path("points").asLong()).isEqualTo(1);
        assertThat(figures.path("rejected").asLong()).isEqualTo(2);
    }

    @Test
    void aJobWhoseEventsAreAllRejectedFails() throws IOException {
        Files.writeString(folder.resolve("a.lp"), "m,h=a v=1 1700000000000000000\nm,h=a v=2 1700000000000000001\n");
        Invocation run = run(job("""
                name: unit
                source: { url: "file:." }
                objects: ["*.lp"]
                format: { type: influx, precision: s }
                pipelines: { all: { aggregate: { functions: [sum] } } }
                """));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .contains("all 2 events were rejected", "2 of the first 2", "a.lp", "1700000000000000000")
                .contains("precision s");
        assertThat(Json.read("dataset run", run.out()).path("rejected").asLong())
                .isEqualTo(2);
        assertThat(folder.resolve("states/unit/report.json")).content().contains("events were rejected");
    }

    @Test
    void namesTheDefectOfAFolderThatCannotBeWritten() throws IOException {
        Path taken = Files.writeString(
                Files.createDirectories(folder.resolve("states")).resolve("backfill"), "no folder");
        Invocation run = run(EXAMPLE);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains(taken + " is no folder");
        assertThat(FileFailure.text(new AccessDeniedException("/x"))).contains("/x", "grant access");
        assertThat(FileFailure.text(new FileSystemException("/x", null, "Read-only file system")))
                .contains("/x", "Read-only file system");
    }

    @Test
    void aMissingJobIsNoMissingConfiguration() {
        Invocation run = run(folder.resolve("nosuch.yaml"));

        assertThat(run.exitCode()).isEqualTo(78);
        assertThat(run.err()).contains("nosuch.yaml", "does not exist").doesNotContain("--config");
    }

    /** The first run cannot read any split. */
    @Test
    void aJobWithoutComputedSplitsTakesAnotherDefinition() throws IOException {
        Files.writeString(folder.resolve("a.csv"), "at,px\n2026-01-01T00:00:00Z,1\n");
        String text = """
                name: columns
                source: { url: "file:." }
                objects: ["*.csv"]
                format:
                  type: csv
                  mapping: { metric: trade, time: at, time_format: iso, fields: { p: { column: WRONG, type: double } } }
                pipelines: { all: { aggregate: { functions: [sum] } } }
                """;
        Invocation wrong = run(job(text));
        Invocation right = run(job(text.replace("WRONG", "px")));
        Invocation changed = run(job(text.replace("WRONG", "at")));

        assertThat(wrong.exitCode()).isEqualTo(1);
        assertThat(wrong.err()).contains("WRONG");
        assertThat(right.exitCode()).as(right.err()).isZero();
        assertThat(changed.exitCode()).isEqualTo(1);
        assertThat(changed.err())
                .contains(
                        "definition",
                        "another name",
                        folder.resolve("states/columns").toString());
    }

    @Test
    void countsPacketsSkipsADamagedCaptureAndKeepsRejectedEvents() throws IOException {
        Path captures = Files.createDirectory(folder.resolve("captures"));
        Path mongodb = ChimeraHome.find()
                .folder()
                .resolve("chimera-flow/src/test/resources/io/chimera/flow/captures/mongodb.pcap");
        Files.copy(mongodb, captures.resolve("a.pcap"));
        Files.writeString(captures.resolve("b.pcap"), "this is no capture, though its name says so");
        Invocation run = run(job("""
                name: packets
                source: { url: "file:captures" }
                objects: ["*.pcap"]
                format:
                  type: pcap
                  mapping:
                    metric: traffic
                    time: time
                    tags: { port: destination_port }
                    fields: { flags: { column: tcp_flags, type: long } }
                window: 1h
                on_bad_split: skip
                rejects: { per_split: 1, per_job: 5, text: 16B }
                pipelines: { all: { aggregate: { functions: [count] } } }
                """));

        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode figures = Json.read("dataset run", run.out());
        assertThat(figures.path("points").asLong()).isPositive();
        assertThat(figures.path("splits_skipped").asLong()).isEqualTo(1);
        assertThat(Files.readString(folder.resolve("states/packets/skipped.jsonl")))
                .contains("\"object\":\"b.pcap\"", "\"reason\":\"damaged\"");
        assertThat(Files.readAllLines(folder.resolve("states/packets/rejected.jsonl")))
                .hasSizeLessThanOrEqualTo(1);
        assertThat(Files.readString(folder.resolve("states/packets/rows.lp"))).contains("traffic.flags.count");
    }

    @Test
    void refusesBoundsOfRejectedEventsThatAreTooLarge() throws IOException {
        Invocation run = run(job("""
                name: wrong
                source: { url: "file:." }
                objects: ["*.lp"]
                rejects: { text: 1MiB }
                pipelines: { all: { aggregate: { functions: [sum] } } }
                """));

        assertThat(run.exitCode()).isEqualTo(78);
        assertThat(run.err()).contains("rejects.text", "64KiB");
    }

    @Test
    void namesWrongKeysWithTheirPlace() throws IOException {
        Invocation run = run(job("""
                name: wrong
                source: { url: "file:." }
                objects: ["*.lp"]
                windov: 1m
                pipelines: { all: { aggregate: { functions: [sum] } } }
                """));

        assertThat(run.exitCode()).isEqualTo(78);
        assertThat(run.err()).contains("job.yaml", "windov", "window");
    }

    @Test
    void refusesAnUnknownSource() throws IOException {
        Invocation run = run(job("""
                name: far
                source: { url: "ftp://host/data?token=hidden" }
                objects: ["a"]
                pipelines: { all: { aggregate: { functions: [sum] } } }
                """));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("source.url", "s3:").doesNotContain("hidden");
    }

    @Test
    void refusesHostsOfALocalRunOnACluster() {
        Invocation run = Invocation.of("dataset", "run", EXAMPLE.toString(), "--allow", "example.org");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--local", "datasets.allow");
    }

    @Test
    void refusesCredentialsOfAClusterInALocalRun() throws IOException {
        Invocation run = run(job("""
                name: far
                source: { url: "http://127.0.0.1:1/data", credentials: store }
                objects: ["a"]
                pipelines: { all: { aggregate: { functions: [sum] } } }
                """));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("source.credentials", "--local");
    }
}
