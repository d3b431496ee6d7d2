package io.chimera.dataset.choice;

import io.chimera.dataset.compute.JobPipeline;
import io.chimera.dataset.job.JobInput;
import io.chimera.dataset.job.JobSettings;
import io.chimera.dataset.plan.StrategyRules;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/**
 * A job whose strategy is to be chosen.
 *
 * @param input events of the job
 * @param pipelines makes the pipelines for a thread
 * @param settings settings of the job
 * @param storage existing folder of the copies
 * @param rules prices and limits of the job
 */
public record AutoBasis(
        JobInput input,
        Supplier<List<JobPipeline>> pipelines,
        JobSettings settings,
        Path storage,
        StrategyRules rules) {}
