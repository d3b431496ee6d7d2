package io.chimera.faults.sim;

/**
 * A point as the simulation sends it.
 *
 * @param id its value, which no other point of the run has
 * @param metric the first of the layout goes to two pipelines; the second to one, to another by two keys, and to the blocks of a third, which make two of it; the untaken one to none
 * @param field its only field
 * @param series a tag; decides the group
 * @param group a tag that several series share
 * @param layout names its tags
 */
record SimPoint(int id, String metric, String field, String series, String group, SimLayout layout) {
    /** Number of series of a metric. */
    static final int SERIES = 12;

    private static final int GROUPS = 3;
    private static final int METRICS = 4;

    /** The point of an identity, in closed form. */
    static SimPoint of(int id, int metric, int series, SimLayout layout) {
        int of = series % SERIES;
        int kind = metric % METRICS;
        boolean isTwo = kind == 2;
        return new SimPoint(
                id,
                kind == METRICS - 1 ? SimLayout.UNTAKEN : isTwo ? layout.two() : layout.one(),
                isTwo ? layout.twoField() : layout.oneField(),
                layout.value() + "s" + of,
                layout.value() + "g" + of % GROUPS,
                layout);
    }

    /** Its line in the protocol of InfluxDB. */
    String line() {
        return metric.replace(",", "\\,").replace(" ", "\\ ") + "," + escaped(layout.group()) + "=" + escaped(group)
                + "," + escaped(layout.series()) + "=" + escaped(series) + " " + escaped(field) + "=" + id + "i\n";
    }

    private static String escaped(String name) {
        return name.replace(",", "\\,").replace("=", "\\=").replace(" ", "\\ ");
    }
}
