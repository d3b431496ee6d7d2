package io.chimera.faults.sim.world;

import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.check.RowOverlap;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.config.pipeline.AfterConfig;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.BeforeConfig;
import io.chimera.common.config.pipeline.BlockConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Pipelines of a run, and the alternative pipelines of a changed configuration. Both are separated in the stores as the
 * layout says.
 */
public final class SimPipelines {
    /** Digest of the configuration of the start. */
    static final ConfigurationDigest DIGEST = new ConfigurationDigest("same");

    /** Digest of the alternative configuration; a run may change to the alternative and back. */
    public static final ConfigurationDigest OTHER = new ConfigurationDigest("other");

    /** Pipeline with separate rows for each series. */
    public static final String BY_SERIES = "series";

    /** Partitions of the keys; not a multiple of any number of processors. */
    public static final int PARTITIONS = 7;

    static final List<String> FUNCTIONS = List.of("count", "sum", "max");
    /** A small limit, so most series of a cycle are pre-aggregated in one pipeline but not in the other. */
    private static final int COMBINE_AFTER = 2;

    /** Far beyond every step of a clock: only points from the distant past are late. */
    private static final Duration LATE_AFTER = Duration.ofDays(30);

    private static final AggregateConfig BY_SERIES_AGGREGATE = Sections.of(
            AggregateConfig.class,
            "by",
            List.of(),
            "functions",
            FUNCTIONS,
            "late_after",
            LATE_AFTER,
            "combine_after",
            COMBINE_AFTER);

    private final SortedMap<String, PipelineConfig> first;
    private final SortedMap<String, PipelineConfig> other;

    SimPipelines(PipelineConfig.Delivery delivery, SimLayout layout) {
        first = told(pipelines(delivery, layout), layout);
        other = told(otherPipelines(delivery, layout), layout);
    }

    /** Returns the pipelines of the start, or the alternative pipelines. */
    SortedMap<String, PipelineConfig> of(boolean isOther) {
        return isOther ? other : first;
    }

    static ConfigurationDigest digest(boolean isOther) {
        return isOther ? OTHER : DIGEST;
    }

    /**
     * Returns the pipelines with the stores and the row names of the layout. A node would refuse pipelines that can
     * write the same row.
     */
    private static SortedMap<String, PipelineConfig> told(Map<String, PipelineConfig> all, SimLayout layout) {
        SortedMap<String, PipelineConfig> told = new TreeMap<>();
        all.forEach((name, config) -> told.put(
                name,
                new PipelineConfig(
                        config.inputs(),
                        config.where(),
                        config.before(),
                        config.after(),
                        config.aggregate(),
                        layout.stores(name),
                        layout.rows(name),
                        config.delivery())));
        List<RowOverlap> overlaps = RowOverlap.of(told, Map.of());
        if (!overlaps.isEmpty()) {
            throw new IllegalStateException(overlaps.toString());
        }
        return told;
    }

    private static Map<String, PipelineConfig> pipelines(PipelineConfig.Delivery delivery, SimLayout layout) {
        return Map.of(
                "behind",
                windows(layout.one(), null, delivery, layout),
                "both",
                windows(layout.two(), List.of(layout.group(), layout.series()), delivery, layout),
                "clones",
                clones("", delivery, layout),
                "groups",
                Sections.of(
                        PipelineConfig.class,
                        "where",
                        layout.one(),
                        "aggregate",
                        aggregate(List.of(layout.group()), 0),
                        "delivery",
                        delivery),
                BY_SERIES,
                Sections.of(
                        PipelineConfig.class, "where", "m*", "aggregate", BY_SERIES_AGGREGATE, "delivery", delivery));
    }

    /**
     * Returns the alternative pipelines: one removed and one added, so ordinals change; one with an additional block
     * before the shard; one with unchanged state; and one whose state is built from cycles before the change.
     */
    private static Map<String, PipelineConfig> otherPipelines(PipelineConfig.Delivery delivery, SimLayout layout) {
        String block = "        more: { type: rename, from: some, metric: { \"" + layout.two() + "\": e2 } }\n";
        return Map.of(
                "also",
                windows(layout.two(), null, delivery, layout),
                "behind",
                windows(layout.one(), null, delivery, layout),
                "clones",
                clones(block, delivery, layout),
                BY_SERIES,
                Sections.of(
                        PipelineConfig.class, "where", "m*", "aggregate", BY_SERIES_AGGREGATE, "delivery", delivery));
    }

    /**
     * Returns a pipeline with state beyond a cycle.
     *
     * @param keys keys for spreading the points; null for the group
     */
    private static PipelineConfig windows(
            String metric, List<String> keys, PipelineConfig.Delivery delivery, SimLayout layout) {
        return Sections.of(
                PipelineConfig.class,
                "where",
                metric,
                "after",
                Sections.of(
                        AfterConfig.class,
                        "partitions",
                        PARTITIONS,
                        "keys",
                        keys,
                        "blocks",
                        Map.of("windows", Sections.of(BlockConfig.class, "type", "sliding"))),
                "aggregate",
                Sections.of(AggregateConfig.class, "by", List.of(layout.group()), "functions", List.of("max")),
                "delivery",
                delivery);
    }

    /** Returns a pipeline with two copies of each m2, with separate keys, and without all other points. */
    private static PipelineConfig clones(String more, PipelineConfig.Delivery delivery, SimLayout layout) {
        String yaml = """
            stores: { memory: {} }
            pipelines:
              clones:
                stores: memory
                before:
                  blocks:
                    some: { type: keep, metric: "%1$s" }
                    here: { type: rename, from: some, metric: { "%1$s": c2 } }
                    there: { type: rename, from: some, metric: { "%1$s": d2 }, tags: { "%2$s": h } }
            """.formatted(layout.two(), layout.group()) + more;
        BeforeConfig blocks = new ConfigLoader(Map.of())
                .parse("simulation", yaml, List.of())
                .pipelines()
                .get("clones")
                .before();
        AggregateConfig aggregate = aggregate(List.of(layout.group(), "h"), 0);
        return Sections.of(
                PipelineConfig.class, "where", "*", "before", blocks, "aggregate", aggregate, "delivery", delivery);
    }

    private static AggregateConfig aggregate(List<String> by, int combineAfter) {
        return Sections.of(AggregateConfig.class, "by", by, "functions", FUNCTIONS, "combine_after", combineAfter);
    }
}
