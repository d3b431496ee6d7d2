package io.chimera.dataset.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.api.model.FieldType;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.dataset.compute.Windows;
import io.chimera.dataset.copy.CopySource;
import io.chimera.dataset.fetch.ReadAhead;
import io.chimera.dataset.format.EventFormat;
import io.chimera.dataset.format.text.CsvOptions;
import io.chimera.dataset.format.text.FieldColumn;
import io.chimera.dataset.format.text.MetricName;
import io.chimera.dataset.format.text.RowMapping;
import io.chimera.dataset.format.text.TextFormat;
import io.chimera.dataset.format.text.TextOptions;
import io.chimera.dataset.format.text.TimeColumn;
import io.chimera.dataset.format.text.TimeFormat;
import io.chimera.dataset.plan.Strategy;
import io.chimera.dataset.source.DataSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Jobs of two workers with a file of rows; pauses take no time. */
final class JobRig {
    /** Length of a split. */
    static final int SPLIT = 150_000;

    /** Length of a range that is read ahead. */
    static final int RANGE = 10_000;

    static final RowMapping MAPPING = new RowMapping(
            MetricName.constant("load"),
            new TimeColumn("time", TimeFormat.of("s", ZoneOffset.UTC)),
            List.of(),
            List.of(new FieldColumn("value", "value", FieldType.LONG)));

    /** Lines {@code time,value} with a header. */
    static final EventFormat CSV = TextFormat.csv(TextOptions.DEFAULT, CsvOptions.DEFAULT, MAPPING);

    private static final int FIRST_SECOND = 1_700_000_000;

    private final Path folder;
    private final ManualClock clock;
    private final ConcurrentLinkedQueue<Duration> waited = new ConcurrentLinkedQueue<>();

    JobRig(Path folder, ManualClock clock) {
        this.folder = folder;
        this.clock = clock;
    }

    /** Returns a text with one event per second. */
    static byte[] csv(int firstSecond, int lines) {
        StringBuilder text = new StringBuilder("time,value\n");
        for (int i = 0; i < lines; i++) {
            text.append(FIRST_SECOND + firstSecond + i)
                    .append(',')
                    .append(i % 10)
                    .append('\n');
        }
        return text.toString().getBytes(UTF_8);
    }

    /** Returns the pauses so far. */
    List<Duration> waited() {
        return List.copyOf(waited);
    }

    /** Runs a job to its end; its rows have {@code count} and {@code sum} per 1,000 s. */
    JobProgress run(DataSource source, List<String> patterns, EventFormat format, BadInput badInput)
            throws IOException {
        return run(source, patterns, format, badInput, Optional.empty(), SplitStrategies.always(Strategy.STREAM));
    }

    /** Runs a job with copies to its end. */
    JobProgress run(
            DataSource source,
            List<String> patterns,
            EventFormat format,
            BadInput badInput,
            Optional<CopySource> copies,
            SplitStrategies strategies)
            throws IOException {
        PipelineJobs run = new PipelineJobs(
                clock,
                pause -> {
                    waited.add(pause);
                    clock.advance(pause);
                },
                Sections.of(
                        PipelineConfig.class,
                        "aggregate",
                        Sections.of(AggregateConfig.class, "functions", List.of("count", "sum"))),
                Map.of(),
                new JobSettings(
                        DefinitionDigest.of("d"),
                        new Windows(1_000_000_000_000L),
                        SPLIT,
                        2,
                        JobSettings.BYTES_PER_WORKER_MIN,
                        new ReadAhead.Depth(RANGE, 3, copies.isPresent())));
        return run.run(
                folder, reception -> new JobInput(source, patterns, format, reception, badInput, copies), strategies);
    }
}
