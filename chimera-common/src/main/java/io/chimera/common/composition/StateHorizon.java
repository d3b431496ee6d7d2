package io.chimera.common.composition;

import io.chimera.common.config.PipelineConfig;
import java.time.Duration;
import java.util.Collection;

/** How far back journals have to reach, so that the state of every composition can be built anew. */
public final class StateHorizon {
    /** A cycle that is open for longer holds what journals keep, whatever its age. */
    public static final Duration SLACK = Duration.ofMinutes(1);

    private StateHorizon() {}

    /**
     * The longest horizon of all compositions.
     *
     * @throws io.chimera.common.config.ConfigException when a composition is not possible
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
