package io.chimera.faults.sim;

/**
 * A point as the simulation sends it.
 *
 * @param id its value, which no other point of the run has
 * @param metric the first of the layout goes to two pipelines; the second to one, to another by two keys, and to the blocks of a third, which make two of it; the untaken one to none; the bare one, whose points have no tags, to one
 * @param field its only field
 * @param series a tag; decides the group
 * @param group a tag that several series share
 * @param isLate whether its time is long before every cycle
 * @param layout names its tags
 */
record SimPoint(int id, String metric, String field, String series, String group, boolean isLate, SimLayout layout) {
    /** Number of series of a metric. */
    static final int SERIES = 12;

    private static final int GROUPS = 3;

    /** Of so many points eight have the first metric, four the second, two the untaken one, two the bare one. */
    private static final int KINDS = 16;

    private static final int FIRST_OF_TWO = 8;
    private static final int FIRST_UNTAKEN = 12;
    private static final int FIRST_BARE = 14;

    /** Nanoseconds after 1970: long ago for every clock. */
    private static final long LATE_NS = 1_000_000_000;

    /** The point of an identity, in closed form. */
    static SimPoint of(int id, int metric, int series, SimLayout layout) {
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

    /** Whether it has no tags. */
    boolean isBare() {
        return metric.equals(SimLayout.BARE);
    }

    /** Its line in the protocol of InfluxDB. */
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
