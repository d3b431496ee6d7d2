package io.chimera.faults.sim;

/**
 * A point as the simulation sends it.
 *
 * @param id its value, which no other point of the run has
 * @param metric m1 goes to two pipelines, m2 to one, to another by two keys, and to the blocks of a third, which make two of it, x to none
 * @param series a tag; decides the group
 * @param group a tag that several series share
 */
record SimPoint(int id, String metric, String series, String group) {
    private static final int SERIES = 12;
    private static final int GROUPS = 3;
    private static final String[] METRICS = {"m1", "m1", "m2", "x"};

    /** The point of an identity, in closed form. */
    static SimPoint of(int id, int metric, int series) {
        int of = series % SERIES;
        return new SimPoint(id, METRICS[metric % METRICS.length], "s" + of, "g" + of % GROUPS);
    }

    /** Its line in the protocol of InfluxDB. */
    String line() {
        return metric + ",g=" + group + ",s=" + series + " v=" + id + "i\n";
    }
}
