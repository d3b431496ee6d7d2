package io.chimera.dataset.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.FieldType;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.dataset.compute.Windows;
import io.chimera.dataset.fetch.ReadAhead;
import io.chimera.dataset.format.text.CsvOptions;
import io.chimera.dataset.format.text.FieldColumn;
import io.chimera.dataset.format.text.MetricName;
import io.chimera.dataset.format.text.RowMapping;
import io.chimera.dataset.format.text.TagColumn;
import io.chimera.dataset.format.text.TextFormat;
import io.chimera.dataset.format.text.TextOptions;
import io.chimera.dataset.format.text.TimeColumn;
import io.chimera.dataset.format.text.TimeFormat;
import io.chimera.dataset.meter.JobMeters;
import io.chimera.dataset.plan.Strategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Merges with memory for few pieces. */
final class RowsOfJobTest {
    private static final int WINDOWS = 40;

    private static final TextFormat CSV = TextFormat.csv(
            TextOptions.DEFAULT,
            CsvOptions.DEFAULT,
            new RowMapping(
                    MetricName.constant("load"),
                    new TimeColumn("time", TimeFormat.of("s", ZoneOffset.UTC)),
                    List.of(new TagColumn("host", "host")),
                    List.of(new FieldColumn("value", "value", FieldType.DOUBLE))));

    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock();
    private final PipelineJobs job = new PipelineJobs(
            clock,
            clock::advance,
            Sections.of(
                    PipelineConfig.class,
                    "aggregate",
                    Sections.of(AggregateConfig.class, "by", List.of("host"), "functions", List.of("sum", "p90"))),
            Map.of(),
            new JobSettings(
                    DefinitionDigest.of("d"),
                    new Windows(1_000_000_000),
                    20_000,
                    2,
                    JobSettings.BYTES_PER_WORKER_MIN,
                    new ReadAhead.Depth(5_000, 3)));

    /** Returns events in no order of time, so that each split has pieces of all windows, some of them several. */
    private static byte[] events() {
        Random random = new Random(18);
        StringBuilder text = new StringBuilder("time,host,value\n");
        for (int i = 0; i < 20_000; i++) {
            text.append(1_700_000_000 + random.nextInt(WINDOWS))
                    .append(",h")
                    .append(random.nextInt(3))
                    .append(',')
                    .append(random.nextDouble())
                    .append('\n');
        }
        return text.toString().getBytes(UTF_8);
    }

    @Test
    void anyNumberOfPassesGivesTheSameRowsAndBookmarks() throws IOException {
        job.run(
                folder,
                reception -> new JobInput(
                        new MemorySource().with("a.csv", events()), List.of("a.csv"), CSV, reception, BadInput.DEFAULT),
                SplitStrategies.always(Strategy.STREAM));
        byte[] expected = Files.readAllBytes(folder.resolve("rows.lp"));
        assertThat(new String(expected, UTF_8).lines()).hasSize(WINDOWS * 3 * 2);

        for (int piecesMax : new int[] {1, 7, 100, 1_000, 1_000_000}) {
            List<Long> bookmarks = new ArrayList<>();
            JobProgress.Snapshot end = merge(piecesMax, bookmarks);
            assertThat(Files.readAllBytes(folder.resolve("again.lp")))
                    .as("at most %d pieces", piecesMax)
                    .isEqualTo(expected);
            assertThat(end.windows()).isEqualTo(end.windowsStored()).isEqualTo(WINDOWS);
            assertThat(bookmarks).containsExactly((1_700_000_000L + WINDOWS - 1) * 1_000_000_000);
        }
    }

    private JobProgress.Snapshot merge(int piecesMax, List<Long> bookmarks) throws IOException {
        JobProgress progress = new JobProgress(new JobMeters(clock));
        try (JobFolder state = JobFolder.open(folder);
                RowLines file = new RowLines(folder.resolve("again.lp"))) {
            RowsOfJob rows = new RowsOfJob(
                    job.pipelines(),
                    state.plan().orElseThrow(),
                    new FolderResults(state, new BitSet()),
                    new RowsOfJob.MergeMemory(JobSettings.BYTES_PER_WORKER_MIN, piecesMax),
                    progress);
            rows.store(startNs -> true, file, file, clock, new RowsOfJob.Bookmark() {
                @Override
                public long lastNs() {
                    return Long.MIN_VALUE;
                }

                @Override
                public void record(long startNs) {
                    bookmarks.add(startNs);
                }
            });
            file.finish();
        }
        return progress.snapshot();
    }
}
