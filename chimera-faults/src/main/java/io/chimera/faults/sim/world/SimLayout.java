package io.chimera.faults.sim.world;

import io.chimera.common.config.pipeline.RowsConfig;
import io.chimera.common.row.RowNaming;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Names of a run's metrics, fields and tags, and separation of the pipelines' rows in the stores: by a prefix, by a
 * tag, or both.
 *
 * @param one metric of two pipelines
 * @param oneField its field
 * @param two metric of other pipelines
 * @param twoField its field
 * @param group tag shared by several series
 * @param series tag of a single series
 * @param value prefix of the values of both tags
 * @param ownTag tag that separates the rows of a pipeline; empty for none
 * @param ownPrefix second part of the prefix that separates the rows of a pipeline, after its name; empty for no prefix
 * @param spread decides the stores of a pipeline; 0 for the first store alone
 */
public record SimLayout(
        String one,
        String oneField,
        String two,
        String twoField,
        String group,
        String series,
        String value,
        String ownTag,
        String ownPrefix,
        int spread) {
    /** The first store, which may have any fault of a store. */
    public static final String FIRST = "memory";

    /** The second store; its only fault is the refusal of all rows for a while. */
    public static final String SECOND = "second";

    /** A metric of no pipeline. */
    public static final String UNTAKEN = "x";

    /** A metric of points without tags; one pipeline takes the metric. */
    static final String BARE = "m.bare";

    /** Plain names and a single store. */
    public static final SimLayout PLAIN = new SimLayout("m1", "v", "m2", "v", "g", "s", "", "p", "", 0);

    /** Metrics with their fields. Without escaping, the names in the second and the third entry would be ambiguous. */
    private static final List<List<String>> METRICS = List.of(
            List.of("m1", "v", "m2", "v"),
            List.of("m.io", "read", "m", "io.read"),
            List.of("m.%25.a", "b", "m", "%25.a.b"),
            List.of("m é=,日 ", "a b=,%2E", "m.value", "top_value"));

    private static final List<String> GROUPS = List.of("g", "chimera", "group_chimera", "a.b", "value");
    private static final List<String> SERIES = List.of("s", "group_group_chimera", "group_s", "s =,é%2E");
    private static final List<String> VALUES = List.of("", "chimera", "a=b, ", "日%.");
    private static final List<String> PREFIXES = List.of(".", "/", ".% é=");

    /** Draws a layout. */
    public static SimLayout draw(SplittableRandom random) {
        List<String> metrics = pick(random, METRICS);
        String series = pick(random, SERIES);
        int separation = random.nextInt(3);
        String tag = RowNaming.isFree(series) && random.nextBoolean() ? series : "p";
        return new SimLayout(
                metrics.get(0),
                metrics.get(1),
                metrics.get(2),
                metrics.get(3),
                pick(random, GROUPS),
                series,
                pick(random, VALUES),
                separation == 1 ? "" : tag,
                separation == 0 ? "" : pick(random, PREFIXES),
                random.nextInt(4));
    }

    private static <T> T pick(SplittableRandom random, List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    /** Returns the stores of a pipeline. */
    public List<String> stores(String pipeline) {
        if (spread == 0) {
            return List.of(FIRST);
        }
        return switch (Math.floorMod(pipeline.hashCode() + spread, 3)) {
            case 0 -> List.of(FIRST);
            case 1 -> List.of(SECOND);
            default -> List.of(FIRST, SECOND);
        };
    }

    /** Returns the row settings that separate a pipeline's rows from the rows of others. */
    public RowsConfig rows(String pipeline) {
        return new RowsConfig(
                ownPrefix.isEmpty() ? "" : pipeline + ownPrefix,
                ownTag.isEmpty() ? Map.of() : Map.of(ownTag, pipeline));
    }
}
