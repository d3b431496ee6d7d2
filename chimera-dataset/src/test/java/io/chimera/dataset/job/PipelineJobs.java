package io.chimera.dataset.job;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.plugin.PluginHost;
import io.chimera.dataset.compute.JobPipeline;
import io.chimera.dataset.fetch.Reception;
import io.chimera.dataset.source.Retries;
import io.chimera.processor.pipeline.NamedStore;
import io.chimera.processor.pipeline.Pipeline;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Runs local jobs with one pipeline.
 *
 * @param clock time of the jobs
 * @param pauses waits between retries
 * @param pipeline the pipeline
 * @param stores its stores by name
 * @param settings settings of the jobs
 */
record PipelineJobs(
        ManualClock clock,
        Retries.Pauses pauses,
        PipelineConfig pipeline,
        Map<String, NamedStore> stores,
        JobSettings settings) {
    /** Returns the pipeline for a thread. */
    List<JobPipeline> pipelines() {
        return Pipeline.of(new TreeMap<>(Map.of("p", pipeline)), stores, PluginHost.ofClassPath()).stream()
                .map(made -> JobPipeline.of(made, "*"))
                .toList();
    }

    /** Runs a job in its folder to its end. */
    JobProgress run(Path folder, Function<Reception, JobInput> input, SplitStrategies strategies) throws IOException {
        Retries retries = new Retries(Retries.Limits.DEFAULT, clock, () -> 1L, pauses);
        try (JobFolder state = JobFolder.open(folder);
                Reception reception = new Reception("receive", 4, retries)) {
            LocalJob job =
                    new LocalJob(state, input.apply(reception), this::pipelines, settings, strategies, clock, pauses);
            job.run();
            return job.progress();
        }
    }
}
