package io.chimera.dataset.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.model.FieldType;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.plugin.PluginHost;
import io.chimera.dataset.compute.JobPipeline;
import io.chimera.dataset.compute.Windows;
import io.chimera.dataset.fetch.ReadAhead;
import io.chimera.dataset.fetch.Reception;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.EventFormat;
import io.chimera.dataset.format.text.CsvOptions;
import io.chimera.dataset.format.text.FieldColumn;
import io.chimera.dataset.format.text.MetricName;
import io.chimera.dataset.format.text.RowMapping;
import io.chimera.dataset.format.text.TextFormat;
import io.chimera.dataset.format.text.TextOptions;
import io.chimera.dataset.format.text.TimeColumn;
import io.chimera.dataset.format.text.TimeFormat;
import io.chimera.dataset.job.BadInput;
import io.chimera.dataset.job.DefinitionDigest;
import io.chimera.dataset.job.JobInput;
import io.chimera.dataset.job.JobSettings;
import io.chimera.dataset.job.Split;
import io.chimera.dataset.plan.Measurements;
import io.chimera.dataset.source.AllowedHosts;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.Retries;
import io.chimera.dataset.source.file.FolderSource;
import io.chimera.dataset.source.http.HttpCredentials;
import io.chimera.dataset.source.http.HttpLocation;
import io.chimera.dataset.source.http.HttpSettings;
import io.chimera.dataset.source.http.HttpSource;
import io.chimera.dataset.source.http.ScriptedServer;
import io.chimera.dataset.source.http.ScriptedServer.Request;
import io.chimera.processor.pipeline.Pipeline;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real computation and real sources: that each figure is there, not how fast this machine is. */
final class JobSamplerTest {
    private static final EventFormat CSV = TextFormat.csv(
            TextOptions.DEFAULT,
            CsvOptions.DEFAULT,
            new RowMapping(
                    MetricName.constant("load"),
                    new TimeColumn("time", TimeFormat.of("ns", ZoneOffset.UTC)),
                    List.of(),
                    List.of(new FieldColumn("value", "value", FieldType.DOUBLE))));
    private static final int READ_AHEAD = 1 << 16;
    private static final SampleLimits SHORT = new SampleLimits(Duration.ofMinutes(1), 8 << 20, 300);

    @TempDir
    Path folder;

    private static byte[] lines(int count) {
        StringBuilder text = new StringBuilder("time,value\n");
        for (int line = 0; line < count; line++) {
            text.append(1_700_000_000_000_000_000L + line).append(",1.5\n");
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static List<JobPipeline> pipelines() {
        PipelineConfig config = Sections.of(
                PipelineConfig.class,
                "aggregate",
                Sections.of(AggregateConfig.class, "functions", List.of("count", "sum")));
        return Pipeline.of(new TreeMap<>(Map.of("load", config)), Map.of(), PluginHost.ofClassPath()).stream()
                .map(pipeline -> JobPipeline.of(pipeline, "*"))
                .toList();
    }

    private Measurements sample(DataSource source, String pattern) throws IOException {
        SystemClock clock = new SystemClock();
        Retries.Pauses pauses = pause -> Thread.sleep(pause.toMillis());
        Retries retries = new Retries(Retries.Limits.DEFAULT, clock, () -> 1L, pauses);
        JobSettings settings = new JobSettings(
                DefinitionDigest.of("d"),
                new Windows(1_000_000_000),
                1 << 20,
                2,
                JobSettings.BYTES_PER_WORKER_MIN,
                new ReadAhead.Depth(READ_AHEAD, 3));
        try (Reception reception = new Reception("receive", 4, retries)) {
            DataObject object = source.list(pattern).get(0);
            Split split = new Split(0, object, new ByteRange(0, object.length()));
            JobInput input = new JobInput(source, List.of(pattern), CSV, reception, BadInput.DEFAULT);
            return new JobSampler(SHORT, clock, pauses)
                    .sample(input, List.of(split), JobSamplerTest::pipelines, settings, folder);
        }
    }

    private static void assertComplete(Measurements measured) {
        assertThat(measured.sources()).singleElement().satisfies(source -> {
            assertThat(source.rates()).extracting(rate -> rate.connections()).startsWith(1, 2, 4, 8);
            assertThat(source.busyBytesPerSecond()).isPresent();
        });
        assertThat(measured.computation().eventsPerCoreSecond()).isPositive();
        assertThat(measured.computation().bytesPerEvent()).isBetween(23.0, 26.0);
        assertThat(measured.storage().writeBytesPerSecond()).isPresent();
        assertThat(measured.storage().readBytesPerSecond()).isPresent();
        assertThat(measured.nodes().coresPerNode()).isEqualTo(2);
        assertThat(measured.start().planSeconds()).as("the plan is known").isZero();
    }

    @Test
    void samplesFiles() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.write(data.resolve("a.csv"), lines(200_000));

        assertComplete(sample(new FolderSource(data, 10), "*.csv"));
        try (var left = Files.list(folder)) {
            assertThat(left).containsExactly(data);
        }
    }

    @Test
    void samplesAnHttpServerAndReadsNoMoreThanItsLimits() throws IOException {
        byte[] content = lines(200_000);
        AtomicLong sent = new AtomicLong();
        try (ScriptedServer server = ScriptedServer.start((request, wire) -> serve(content, request, wire, sent));
                HttpSource source = new HttpSource(
                        new HttpLocation(URI.create(server.url("/data")), HttpCredentials.NONE, false),
                        HttpSettings.DEFAULT,
                        new AllowedHosts(List.of("127.0.0.1")),
                        new SystemClock())) {
            assertComplete(sample(source, "a.csv"));
            assertThat(sent.get())
                    .isPositive()
                    .isLessThanOrEqualTo(SHORT.ofDataSet(content.length).bytesMax() + 2 * READ_AHEAD);
        }
    }

    private static void serve(byte[] content, Request request, ScriptedServer.Wire wire, AtomicLong sent)
            throws IOException {
        String range = request.headers().get("range");
        if (range == null) {
            wire.answer(200, content, "ETag: \"v1\"");
            return;
        }
        String[] ends = range.substring("bytes=".length()).split("-", 2);
        int from = Integer.parseInt(ends[0]);
        int to = Integer.parseInt(ends[1]) + 1;
        sent.addAndGet(to - from);
        wire.answer(
                206,
                Arrays.copyOfRange(content, from, to),
                "ETag: \"v1\"",
                "Content-Range: bytes " + from + "-" + (to - 1) + "/" + content.length);
    }

    @Test
    void reportsADataSetWithoutEvents() throws IOException {
        Path data = Files.createDirectory(folder.resolve("empty"));
        Files.writeString(data.resolve("a.csv"), "time,value\n");

        assertThatThrownBy(() -> sample(new FolderSource(data, 10), "*.csv"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no event");
    }
}
