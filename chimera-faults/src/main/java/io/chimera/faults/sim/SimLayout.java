package io.chimera.faults.sim;

import io.chimera.common.config.RowsConfig;
import io.chimera.common.row.RowNaming;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Names of a run's metrics, fields and tags, and how its pipelines share the stores: by a prefix of the rows, by a tag, or both.
 *
 * @param one metric that goes to two pipelines
 * @param oneField its field
 * @param two metric that goes to other pipelines
 * @param twoField its field
 * @param group tag that several series share
 * @param series tag of one series
 * @param value begins the values of both tags
 * @param ownTag tag that sets the rows of a pipeline apart; empty for none
 * @param ownPrefix follows the name of a pipeline in the prefix that sets its rows apart; empty for no prefix
 * @param spread decides to which stores a pipeline writes; 0 for the first store alone
 */
record SimLayout(
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
    static final String FIRST = "memory";

    /** The second store, whose only fault is that it refuses everything for a while. */
    static final String SECOND = "second";

    /** A metric that no pipeline takes. */
    static final String UNTAKEN = "x";

    /** A metric whose points have no tags; one pipeline takes it. */
    static final String BARE = "m.bare";

    /** Plain names and one store. */
    static final SimLayout PLAIN = new SimLayout("m1", "v", "m2", "v", "g", "s", "", "p", "", 0);

    /** Metrics with their fields: without escapes the second and the third make one name of two. */
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
    static SimLayout draw(SplittableRandom random) {
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

    /** Stores that a pipeline writes to. */
    List<String> stores(String pipeline) {
        if (spread == 0) {
            return List.of(FIRST);
        }
        return switch (Math.floorMod(pipeline.hashCode() + spread, 3)) {
            case 0 -> List.of(FIRST);
            case 1 -> List.of(SECOND);
            default -> List.of(FIRST, SECOND);
        };
    }

    /** What sets the rows of a pipeline apart from those of the others. */
    RowsConfig rows(String pipeline) {
        return new RowsConfig(
                ownPrefix.isEmpty() ? "" : pipeline + ownPrefix,
                ownTag.isEmpty() ? Map.of() : Map.of(ownTag, pipeline));
    }
}
