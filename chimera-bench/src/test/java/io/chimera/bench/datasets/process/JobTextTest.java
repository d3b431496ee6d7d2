package io.chimera.bench.datasets.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.bench.datasets.process.JobText.EventKind;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.dataset.definition.JobConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JobTextTest {
    @TempDir
    private Path folder;

    @Test
    void isADefinitionThatTheCommandReads() throws IOException {
        JobText text = new JobText(EventKind.EVENTS, List.of("a-0.jsonl", "a-1.jsonl"), 1 << 20);
        Path file = Files.writeString(folder.resolve("job.yaml"), text.yaml(List.of("http://127.0.0.1:1/set"), ""));

        JobConfig job = new ConfigLoader(Map.of()).loadAs(file, JobConfig.class);

        assertThat(job.name()).isEqualTo(JobText.NAME);
        assertThat(job.objects()).containsExactly("a-0.jsonl", "a-1.jsonl");
        assertThat(job.format().type()).isEqualTo("bench_event");
        assertThat(job.split().bytes()).isEqualTo(1 << 20);
    }

    @Test
    void aSplitHasAtLeastTheShortestLength() {
        assertThat(new JobText(EventKind.POINTS, List.of("a"), 1).splitBytes()).isEqualTo(64 << 10);
    }

    @Test
    void rowsOfParquetAreStoredExactlyOnce() throws IOException {
        JobText text = new JobText(EventKind.ROWS, List.of("rows.parquet"), 1 << 20, 3);
        Path file = Files.writeString(folder.resolve("job.yaml"), text.yaml(List.of("http://127.0.0.1:1/set"), ""));

        JobConfig job = new ConfigLoader(Map.of()).loadAs(file, JobConfig.class);

        assertThat(job.workers()).isEqualTo(3);
        assertThat(job.format().mapping().metric()).isEqualTo(JobText.METRIC);
        assertThat(job.format().mapping().time()).isEqualTo("at");
        assertThat(job.format().mapping().tags()).containsEntry("region", "region");
        assertThat(job.format().mapping().fields()).containsOnlyKeys("value");
        assertThat(job.stores()).containsOnlyKeys("counts");
        assertThat(job.pipelines().get("all").delivery()).isEqualTo(PipelineConfig.Delivery.EXACTLY_ONCE);
        assertThat(job.pipelines().get("all").aggregate().functions()).hasSize(6);
    }

    @Test
    void namesReplicasOfTheSource() {
        JobText text = new JobText(EventKind.POINTS, List.of("a"), 1);

        assertThat(text.yaml(List.of("http://a", "http://b", "http://c"), ""))
                .contains("source: { url: \"http://a\", replicas: [\"http://b\", \"http://c\"] }");
    }

    @Test
    void namesTheFolderOfCopiesOnlyForThem() {
        JobText text = new JobText(EventKind.POINTS, List.of("a"), 1);

        assertThat(text.yaml(List.of("http://127.0.0.1:1/"), "")).doesNotContain("copies");
        assertThat(text.yaml(List.of("http://127.0.0.1:1/"), "/nearby")).contains("copies: { folder: \"/nearby\"");
    }
}
