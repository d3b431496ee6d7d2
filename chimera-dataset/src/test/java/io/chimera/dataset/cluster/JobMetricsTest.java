package io.chimera.dataset.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.JobCounter;
import io.chimera.common.metrics.Metrics;
import io.chimera.common.metrics.PrometheusText;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Metrics with the label of a job. */
final class JobMetricsTest {
    private final Metrics registry = new Metrics("p1");
    private final JobMetrics metrics = new JobMetrics(registry);

    private String text() {
        return new String(new PrometheusText(List.of(registry)).bytes(), UTF_8);
    }

    @Test
    void countersHaveTheNameOfTheJobUntilItIsRemoved() {
        Counters<JobCounter> counters = metrics.begin("backfill");
        counters.add(JobCounter.BYTES, 70);

        assertThat(text())
                .contains("chimera_dataset_job_bytes_total{component=\"dataset\",job=\"backfill\",node=\"p1\"} 70");
        metrics.end("backfill", counters);
        assertThat(text()).doesNotContain("backfill");
    }

    @Test
    void runsOfOneNameShareTheirCounters() {
        Counters<JobCounter> first = metrics.begin("backfill");
        Counters<JobCounter> second = metrics.begin("backfill");
        assertThat(second).isSameAs(first);

        metrics.end("backfill", first);
        assertThat(text()).contains("job=\"backfill\"");
        metrics.end("backfill", second);

        assertThat(text()).doesNotContain("backfill");
    }

    @Test
    void theNumberOfLabelsIsLimited() {
        for (int job = 0; job < JobMetrics.LABELS_MAX; job++) {
            metrics.begin("job" + job);
        }
        Counters<JobCounter> one = metrics.begin("more1");
        Counters<JobCounter> other = metrics.begin("more2");
        one.increment(JobCounter.SPLITS);
        other.increment(JobCounter.SPLITS);

        assertThat(text())
                .contains("chimera_dataset_job_splits_total{component=\"dataset\",job=\"(other)\",node=\"p1\"} 2")
                .doesNotContain("more");
        metrics.end("more1", one);
        assertThat(text()).as("the counters of other jobs stay").contains("job=\"(other)\"");
    }
}
