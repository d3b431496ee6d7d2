package io.chimera.faults.sim.world;

/**
 * A point of the simulation.
 *
 * @param id its value, unique in the run
 * @param metric the first metric of the layout goes to two pipelines; the second to one pipeline, to another by two
 *     keys, and to the blocks of a third, which make two points of each; the untaken metric to none; the bare metric,
 *     without tags, to one
 * @param field its only field
 * @param series a tag; decides the group
 * @param group a tag shared by several series
 * @param isLate whether its time is long before every cycle
 * @param layout names its tags
 */
public record SimPoint(
        int id, String metric, String field, String series, String group, boolean isLate, SimLayout layout) {
    /** Number of series of a metric. */
    static final int SERIES = 12;

    private static final int GROUPS = 3;

    /**
     * Number of kinds: of 16 points eight have the first metric, four the second, two the untaken, two the bare metric.
     */
    private static final int KINDS = 16;

    private static final int FIRST_OF_TWO = 8;
    private static final int FIRST_UNTAKEN = 12;
    private static final int FIRST_BARE = 14;

    /** Nanoseconds after 1970: long ago for every clock. */
    private static final long LATE_NS = 1_000_000_000;

    /** Returns the point of an identity, in closed form. */
    public static SimPoint of(int id, int metric, int series, SimLayout layout) {
        int of = series % SERIES;
        int kind = metric % KINDS;
        boolean isTwo = kind >= FIRST_OF_TWO && kind < FIRST_UNTAKEN;
        String name = kind >= FIRST_BARE
                ? SimLayout.BARE
                : kind >= FIRST_UNTAKEN ? SimLayout.UNTAKEN : isTwo ? layout.two() : layout.one();
        return new SimPoint(
                id,
                name,
                isTwo ? layout.twoField() : layout.oneField(),
                layout.value() + "s" + of,
                layout.value() + "g" + of % GROUPS,
                kind == KINDS - 1,
                layout);
    }

    /** Returns whether the point has no tags. */
    public boolean isBare() {
        return metric.equals(SimLayout.BARE);
    }

    /** Returns the line of the point in InfluxDB line protocol. */
    String line() {
        if (isBare()) {
            return metric + " " + escaped(field) + "=" + id + "i" + (isLate ? " " + LATE_NS : "") + "\n";
        }
        return metric.replace(",", "\\,").replace(" ", "\\ ") + "," + escaped(layout.group()) + "=" + escaped(group)
                + "," + escaped(layout.series()) + "=" + escaped(series) + " " + escaped(field) + "=" + id + "i\n";
    }

    private static String escaped(String name) {
        return name.replace(",", "\\,").replace("=", "\\=").replace(" ", "\\ ");
    }
}
