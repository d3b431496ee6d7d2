package io.chimera.node.archive;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.archive.query.filter.GeneratedQuestions;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import io.chimera.node.archive.CaptureFile.Frame;
import io.chimera.node.child.FreePorts;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * An archive of public captures finds exactly the packets found by tcpdump, also during the recording and after a kill
 * of the recorder. Run more filters with {@code -Dchimera.filters=2000 -Dchimera.filters.seed=7}.
 */
final class ArchiveQueryIT {
    private static final int FILTERS = Integer.getInteger("chimera.filters", 200);
    private static final long SEED = Long.getLong("chimera.filters.seed", 1);

    /** Number of generated filters; either tool refuses a few of them, see docs/archive.md. */
    private static final int GENERATED = FILTERS * 3 / 2 + 20;

    @TempDir
    private Path folder;

    private Path capture;
    private Path volume;
    private List<String> filters;
    private TcpdumpFilter tcpdump;
    private Process recorder;

    @BeforeEach
    void write() {
        capture = folder.resolve("packets.pcap");
        volume = folder.resolve("volume");
        filters = GeneratedQuestions.write(capture, GENERATED, SEED);
        tcpdump = new TcpdumpFilter(capture);
        run("archive", "create", volume.toString(), "--size", "64MiB");
    }

    @AfterEach
    void endRecorder() throws InterruptedException {
        if (recorder != null) {
            recorder.destroyForcibly().waitFor();
        }
    }

    @Test
    void findsExactlyWhatTcpdumpFinds() throws Exception {
        run("archive", "record", "--read", capture.toString(), "--to", volume.toString(), "--interval", "8KiB");
        int compared = 0;
        for (String filter : filters) {
            Optional<List<Frame>> expected = tcpdump.find(filter);
            if (compared < FILTERS && expected.isPresent()) {
                Optional<List<Frame>> found = ask(filter, "--in", volume.toString());
                found.ifPresent(frames -> assertThat(frames).as(filter).isEqualTo(expected.get()));
                compared += found.isPresent() ? 1 : 0;
            }
        }
        assertThat(compared).isEqualTo(FILTERS);
    }

    @Test
    void findsItWhileItIsRecordedAndAfterTheRecorderWasKilled() throws Exception {
        List<Frame> all = CaptureFile.read(capture);
        String http = new FreePorts(1).next();
        record(http);
        await().until(() -> visible(http) > 100);
        compare("--http", http, visible(http), 20);
        await().until(() -> visible(http) > all.size() / 3);
        compare("--http", http, visible(http), 20);

        await().until(() -> durableRecords(http) > 0);
        int durable = durableRecords(http);
        recorder.destroyForcibly().waitFor();

        List<Frame> held = ask("", "--in", volume.toString()).orElseThrow();
        assertThat(held).isEqualTo(all.subList(0, held.size()));
        assertThat(held.size()).isGreaterThanOrEqualTo(packetsOf(durable)).isLessThan(all.size());
        compare("--in", volume.toString(), held.size(), 20);
    }

    /** Records slowly: the times of the packets are a microsecond apart. */
    private void record(String http) throws IOException {
        List<String> arguments = List.of(
                "archive",
                "record",
                "--read",
                capture.toString(),
                "--to",
                volume.toString(),
                "--interval",
                "8KiB",
                "--speed",
                "0.0001",
                "--http",
                http);
        recorder = new ProcessBuilder(ChimeraHome.find().nodeCommand(List.of("-Xmx256m"), arguments))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(folder.resolve("recorder.log").toFile())
                .start();
    }

    /** Returns the number of visible packets; packet times are positions, so these are the first packets. */
    private static int visible(String http) {
        Invocation count = Invocation.of("archive", "query", "--http", http, "--count");
        return count.exitCode() == 0
                ? Json.read("count", count.out()).path("packets").asInt()
                : 0;
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void saysWhenStandardOutputTakesNoMore() throws Exception {
        run("archive", "record", "--read", capture.toString(), "--to", volume.toString());
        for (List<String> format : List.of(List.<String>of(), List.of("--pcap", "-"))) {
            List<String> arguments = new ArrayList<>(List.of("archive", "query", "--in", volume.toString()));
            arguments.addAll(format);
            Path complaints = folder.resolve("complaints");
            Process query = new ProcessBuilder(ChimeraHome.find().nodeCommand(List.of("-Xmx256m"), arguments))
                    .redirectOutput(new File("/dev/full"))
                    .redirectError(complaints.toFile())
                    .start();
            assertThat(query.waitFor()).isOne();
            assertThat(complaints).content().contains("cannot be written");
        }
    }

    /** Checks that the durable records, the first of the volume, are all present; returns their number of packets. */
    private int packetsOf(int records) {
        Invocation dump = Invocation.of(
                "archive", "dump", volume.toString(), "--stream", "packets", "--limit", Integer.toString(records));
        List<MatchResult> lines = Pattern.compile("(?m)^(\\d+) .*, (\\d+) packets of ")
                .matcher(dump.out())
                .results()
                .toList();
        assertThat(lines).as("records that were durable").hasSize(records);
        assertThat(lines.get(records - 1).group(1)).isEqualTo(Integer.toString(records));
        return lines.stream().mapToInt(line -> Integer.parseInt(line.group(2))).sum();
    }

    /** Returns the number of durable records as reported by the volume; at least these survive. */
    private int durableRecords(String http) throws IOException, InterruptedException {
        String status = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://" + http + "/status"))
                                .build(),
                        BodyHandlers.ofString())
                .body();
        JsonNode streams =
                Json.read("status", status).path("nodes").path(0).path("status").path("streams");
        assertThat(streams.path(0).path("name").asText()).isEqualTo("packets");
        return streams.path(0).path("records_durable").asInt();
    }

    /** Compares the answers over the first packets; packets recorded meanwhile are later. */
    private void compare(String option, String value, int packets, int count) throws Exception {
        int compared = 0;
        for (String filter : filters) {
            Optional<List<Frame>> expected = compared < count ? tcpdump.find(filter) : Optional.empty();
            if (expected.isPresent()) {
                Optional<List<Frame>> found = ask(filter, option, value, "--before", timeOf(packets));
                List<Frame> first = expected.get().stream()
                        .filter(frame -> frame.timeUs() < packets)
                        .toList();
                found.ifPresent(frames -> assertThat(frames).as(filter).isEqualTo(first));
                compared += found.isPresent() ? 1 : 0;
            }
        }
        assertThat(compared).isEqualTo(count);
    }

    private static String timeOf(long positionUs) {
        return Instant.ofEpochSecond(0, positionUs * 1000).toString();
    }

    /** Returns an empty answer for a refused filter. */
    private Optional<List<Frame>> ask(String filter, String... more) throws IOException {
        Path answer = folder.resolve("answer.pcap");
        List<String> arguments = new ArrayList<>(List.of("archive", "query"));
        arguments.addAll(List.of(more));
        arguments.addAll(List.of("--pcap", answer.toString(), "--", filter));
        Invocation invocation = Invocation.of(arguments.toArray(String[]::new));
        if (invocation.exitCode() != 0) {
            assertThat(invocation.err()).contains("At ");
            return Optional.empty();
        }
        return Optional.of(CaptureFile.read(answer));
    }

    private static void run(String... arguments) {
        Invocation invocation = Invocation.of(arguments);
        assertThat(invocation.exitCode()).as(invocation.err()).isZero();
    }
}
