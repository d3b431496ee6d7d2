package io.chimera.common.composition;

import io.chimera.common.config.pipeline.PipelineConfig;
import java.time.Duration;
import java.util.Collection;

/** Computes the journal retention needed to rebuild the state of all compositions. */
public final class StateHorizon {
    /** Slack for open cycles. The journal retains a cycle that stays open longer, regardless of its age. */
    public static final Duration SLACK = Duration.ofMinutes(1);

    private StateHorizon() {}

    /**
     * Returns the longest horizon of all compositions.
     *
     * @throws io.chimera.common.config.binding.ConfigException for an invalid composition
     */
    public static Duration of(Collection<PipelineConfig> pipelines, TransformTypes types) {
        return pipelines.stream()
                .filter(pipeline -> pipeline.after() != null)
                .map(pipeline ->
                        CompositionPlanner.after(pipeline.after(), types).horizon())
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }
}
