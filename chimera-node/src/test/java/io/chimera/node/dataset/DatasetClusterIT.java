package io.chimera.node.dataset;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.agent.Waits;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import io.chimera.node.launch.NodeProcesses;
import io.chimera.node.replay.RowCatcher;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs over data sets on a cluster of two queue nodes and three processors, each in its own process, beside live
 * traffic: a processor is killed in the middle of a job, the job is stopped and continued, another processor leaves,
 * and the rows equal those of a local run. Bad input is reported as by a local run.
 */
@Tag("it")
final class DatasetClusterIT {
    private static final int HOSTS = 200;
    private static final int FILES = 6;
    private static final int LINES_PER_FILE = 60_000;
    private static final List<String> PROCESSORS = List.of("p1", "p2", "p3");

    @TempDir
    Path folder;

    private NodeProcesses nodes;

    @AfterEach
    void stop() {
        if (nodes != null) {
            nodes.close();
        }
    }

    @Test
    void rowsEqualThoseOfALocalRunAfterAKillAndAStop() throws Exception {
        writeData();
        Path job = job("backfill", "", "strategy: overlap");
        Invocation local = run(job, "local", "--local");
        assertThat(local.exitCode()).as(local.err()).isZero();
        startCluster();
        nodes.send("q1", HOSTS);

        CompletableFuture<Invocation> first = CompletableFuture.supplyAsync(() -> run(job, "cluster"));
        long seen = awaitSplits(0, first);
        nodes.send("q2", HOSTS);
        nodes.process("p1").kill();
        awaitSplits(seen, first);
        Invocation stopped = command("stop", "backfill");
        assertThat(stopped.exitCode()).as(stopped.err()).isZero();
        Invocation watched = first.get(Waits.MAX.toSeconds(), TimeUnit.SECONDS);
        assertThat(watched.exitCode()).as(watched.err()).isEqualTo(1);
        JsonNode half = Json.read("dataset run", watched.out());
        assertThat(half.path("state").asText()).isEqualTo("stopped");
        assertThat(half.path("ranges").asInt()).as("the job was stopped midway").isZero();
        nodes.send("q1", HOSTS);
        nodes.start("p1", "processor");

        CompletableFuture<Invocation> last = CompletableFuture.supplyAsync(() -> run(job, "cluster"));
        drain("p3");
        Invocation again = last.get(Waits.MAX.toSeconds(), TimeUnit.SECONDS);

        assertThat(again.exitCode()).as(again.err()).isZero();
        nodes.start("p3", "processor");
        JsonNode figures = Json.read("dataset run", again.out());
        assertThat(figures.path("state").asText()).isEqualTo("done");
        assertThat(figures.path("points").asLong()).isEqualTo((long) FILES * LINES_PER_FILE);
        assertThat(figures.path("bytes_copied").asLong()).isPositive();
        assertThat(rows("cluster")).isEqualTo(rows("local"));
        nodes.send("q2", HOSTS);
        nodes.awaitAll();
        nodes.assertStoredOnce();

        copiesAtTheNodes(2);
        refusesAnotherDefinition();
        storesRowsOnce();
        reportsBadInputAsALocalRun();
        removes();
    }

    /** Lets a node leave, and waits until its results are elsewhere. */
    private void drain(String id) throws InterruptedException {
        nodes.drain(id);
        assertThat(nodes.process(id).logEnd()).noneMatch(line -> line.contains("not handed over in time"));
    }

    /** A processor that was killed and started again still has its copies. */
    private void copiesAtTheNodes(int least) throws IOException {
        int holders = 0;
        for (String processor : PROCESSORS) {
            try (Stream<Path> all = Files.walk(folder.resolve(processor).resolve("datasets/_copies"))) {
                holders += all.anyMatch(file -> file.toString().endsWith(".copy1")) ? 1 : 0;
            }
        }
        assertThat(holders).as("nodes with copies").isGreaterThanOrEqualTo(least);
    }

    private void refusesAnotherDefinition() throws IOException {
        Invocation other = run(job("backfill", "", "window: 2m\nstrategy: overlap"), "cluster");

        assertThat(other.exitCode()).isEqualTo(1);
        assertThat(other.err()).contains("another definition", "remove");
    }

    /** The store of the job is one of the configuration of the nodes. */
    private void storesRowsOnce() throws Exception {
        try (RowCatcher wanted = new RowCatcher()) {
            Invocation local = run(
                    job("stored", "stores: [kairos]", "stores: { kairos: { url: \"" + wanted.url() + "\" } }"),
                    "local",
                    "--local");
            assertThat(local.exitCode()).as(local.err()).isZero();

            Invocation cluster = run(job("stored", "stores: [kairos]", ""), "cluster");

            assertThat(cluster.exitCode()).as(cluster.err()).isZero();
            assertThat(Json.read("dataset run", cluster.out())
                            .path("bytes_of_copies_read")
                            .asLong())
                    .as("bytes of the copies that the job before made")
                    .isPositive();
            SortedMap<String, Double> found = new TreeMap<>(nodes.store().rows());
            found.keySet().removeIf(row -> row.startsWith("load."));
            assertThat(found.equals(wanted.rows())).as("rows in the stores").isTrue();
            assertThat(found).isNotEmpty();
            assertThat(nodes.store().changes())
                    .as("rows written again with another value")
                    .isZero();
        }
    }

    private void reportsBadInputAsALocalRun() throws Exception {
        Files.writeString(folder.resolve("data/bad.txt.gz"), "these bytes are no gzip");
        Files.writeString(folder.resolve("data/odd.txt"), """
                cpu,host=a user=1 1767225600000000000
                this line has no field
                cpu,host=a user=2 1767225601000000000
                cpu,host=a user=x 1767225602000000000
                """);
        Path job = Files.writeString(folder.resolve("tolerant.yaml"), """
            name: tolerant
            source: { url: "file:data" }
            objects: ["*.txt", "*.gz"]
            format: { type: influx, precision: ns }
            memory: 64MiB
            on_bad_split: skip
            rejects: { per_job: 1 }
            pipelines:
              usage: { aggregate: { by: [host], functions: [count, sum] } }
            """);
        Invocation local = run(job, "local", "--local");
        assertThat(local.exitCode()).as(local.err()).isZero();

        Invocation cluster = run(job, "cluster");

        assertThat(cluster.exitCode()).as(cluster.err()).isZero();
        for (String file : List.of("rows.lp", "skipped.jsonl", "rejected.jsonl")) {
            assertThat(folder.resolve("cluster/tolerant").resolve(file))
                    .as(file)
                    .hasSameTextualContentAs(folder.resolve("local/tolerant").resolve(file))
                    .isNotEmptyFile();
        }
        JsonNode figures = Json.read("dataset run", cluster.out());
        assertThat(figures.path("splits_skipped").asInt()).isEqualTo(1);
        assertThat(figures.path("points").asInt()).isEqualTo(2);
        assertThat(figures.path("rejected").asInt()).isEqualTo(2);
        JsonNode report = Json.read("report", Files.readString(folder.resolve("cluster/tolerant/report.json")));
        assertThat(report.path("progress").path("splits_skipped").asInt()).isEqualTo(1);
        assertThat(folder.resolve("cluster/tolerant/report.html")).content().contains("splits skipped");
        JsonNode status = Json.read("status", command("status", "tolerant").out());
        assertThat(status.path("skipped")).hasSize(1);
        assertThat(status.path("skipped").get(0).path("reason").asText()).isEqualTo("damaged");
        assertThat(status.path("skipped").get(0).path("object").asText()).isEqualTo("bad.txt.gz");
    }

    private void removes() throws Exception {
        Invocation all = command("ls");
        assertThat(all.exitCode()).as(all.err()).isZero();
        assertThat(Json.read("dataset ls", all.out()).path("jobs")).hasSize(3);
        for (String name : List.of("backfill", "stored", "tolerant")) {
            Invocation removed = command("remove", name);
            assertThat(removed.exitCode()).as(removed.err()).isZero();
        }
        for (String processor : PROCESSORS) {
            Path results = folder.resolve(processor).resolve("datasets/jobs/backfill");
            await().until(() -> isEmpty(results));
        }
        assertThat(command("status", "backfill").exitCode()).isEqualTo(1);
    }

    private static boolean isEmpty(Path results) throws IOException {
        if (!Files.exists(results)) {
            return true;
        }
        try (Stream<Path> all = Files.list(results)) {
            return all.findAny().isEmpty();
        }
    }

    /** Waits until more splits are computed than a number, and returns how many are. */
    private long awaitSplits(long above, CompletableFuture<Invocation> run) {
        AtomicLong found = new AtomicLong();
        await().until(() -> {
            assertThat(run.isDone())
                    .as(() -> "the job ended early: " + run.join())
                    .isFalse();
            Invocation status = command("status", "backfill");
            if (status.exitCode() == 0) {
                found.set(Json.read("status", status.out())
                        .path("splits_computed")
                        .asLong());
            }
            return found.get() > above;
        });
        return found.get();
    }

    private void writeData() throws IOException {
        Files.createDirectories(folder.resolve("data"));
        for (int file = 0; file < FILES; file++) {
            try (Writer out = Files.newBufferedWriter(folder.resolve("data/" + file + ".lp"))) {
                for (int i = 0; i < LINES_PER_FILE; i++) {
                    long second = (long) i * 7_200 / LINES_PER_FILE + i * 7_919L % 90; // late by up to 90 s
                    out.append("cpu,host=h" + (i * 31 + file) % 40 + " user=" + (i % 97) / 7.0 + ",system=" + i % 13
                            + "i " + (1_767_225_600L + second) + "000000000\n");
                }
            }
        }
    }

    private Path job(String name, String ofPipeline, String more) throws IOException {
        return Files.writeString(folder.resolve(name + ".yaml"), """
            name: %s
            source: { url: "file:data" }
            objects: ["*.lp"]
            format: { type: influx, precision: ns }
            split: 64KiB
            memory: 64MiB
            %s
            pipelines:
              usage:
                where: "cpu"
                aggregate: { by: [host], functions: [count, mean, max] }
                %s
            """.formatted(name, more, ofPipeline));
    }

    private Invocation run(Path job, String output, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "dataset",
                "run",
                job.toString(),
                "--json",
                "--folder",
                folder.resolve(output).toString()));
        if (nodes != null) {
            arguments.addAll(List.of("--config", nodes.configuration().toString()));
        }
        arguments.addAll(Arrays.asList(more));
        return Invocation.of(arguments.toArray(String[]::new));
    }

    private Invocation command(String... words) {
        List<String> arguments = new ArrayList<>(List.of("dataset"));
        arguments.addAll(Arrays.asList(words));
        arguments.addAll(List.of("--json", "--config", nodes.configuration().toString()));
        return Invocation.of(arguments.toArray(String[]::new));
    }

    private String rows(String output) throws IOException {
        return Files.readString(folder.resolve(output).resolve("backfill/rows.lp"));
    }

    private void startCluster() throws Exception {
        nodes = new NodeProcesses(
                folder,
                "q1",
                "datasets: { workers: 1, memory: 64MiB, allow: [\"file:" + folder.resolve("data")
                        + "\"], copies: {} }");
        nodes.start("q1", "queue_coordinator");
        nodes.start("q2", "queue");
        for (String id : PROCESSORS) {
            nodes.start(id, "processor");
        }
    }
}
