package io.chimera.dataset.compute;

import io.chimera.common.wire.MetricFilter;
import io.chimera.processor.pipeline.Function;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.processor.staging.warehouse.ChunkPool;
import io.chimera.processor.staging.warehouse.Plugins;
import io.chimera.processor.staging.warehouse.Sketches;
import io.chimera.processor.staging.warehouse.Warehouse;
import java.util.Set;

/**
 * A pipeline of a job. Group keys and plugins have state, so each thread has instances of its own.
 *
 * @param pipeline functions, grouping and stores
 * @param where pattern of the accepted metrics
 * @param plugins aggregators among the functions
 * @param sketches sketches among the functions
 */
public record JobPipeline(Pipeline pipeline, MetricFilter where, Plugins plugins, Sketches sketches) {
    private static final Set<Function.Kind> KEPT =
            Set.of(Function.Kind.QUANTILE, Function.Kind.DISTINCT, Function.Kind.TOP, Function.Kind.PLUGIN);

    /**
     * Wraps a pipeline for one thread.
     *
     * @param pipeline made for this thread
     * @param where pattern of the accepted metrics
     */
    public static JobPipeline of(Pipeline pipeline, String where) {
        return new JobPipeline(
                pipeline,
                new MetricFilter(where),
                new Plugins(pipeline.folding(), pipeline.merging()),
                Sketches.of(pipeline.functions()));
    }

    /** Creates an empty warehouse. */
    Warehouse warehouse(ChunkPool pool) {
        return new Warehouse(pool, plugins, sketches);
    }

    /** Returns whether the aggregates of a split can be merged; otherwise its records are kept. */
    boolean isMergeable() {
        return pipeline.functions().stream().map(Function::kind).noneMatch(KEPT::contains);
    }
}
