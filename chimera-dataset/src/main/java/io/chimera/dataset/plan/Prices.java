package io.chimera.dataset.plan;

/**
 * Prices of a job.
 *
 * @param perNodeHour price of a worker or data node and hour
 * @param perGbMonth price of a GB and month (720 hours) on the storage of the data nodes
 * @param perGbOut price of a GB read from the source
 * @param currency name of the currency in reports
 */
public record Prices(double perNodeHour, double perGbMonth, double perGbOut, String currency) {
    /** Everything is free. */
    public static final Prices NONE = new Prices(0, 0, 0, "USD");

    private static final double BYTES_PER_GB = 1e9;
    private static final double SECONDS_PER_HOUR = 3600;

    /**
     * Checks the values.
     *
     * @param perNodeHour at least 0
     * @param perGbMonth at least 0
     * @param perGbOut at least 0
     * @param currency name of the currency
     */
    public Prices {
        if (!(perNodeHour >= 0) || !(perGbMonth >= 0) || !(perGbOut >= 0)) {
            throw new IllegalArgumentException("prices " + perNodeHour + " per node hour, " + perGbMonth
                    + " per GB and month, " + perGbOut + " per GB out; expected at least 0");
        }
    }

    /** Returns whether everything is free, so that costs say nothing. */
    public boolean isFree() {
        return perNodeHour == 0 && perGbMonth == 0 && perGbOut == 0;
    }

    /**
     * Returns the cost of a part of a running job, without the storage of copies.
     *
     * @param seconds time of the part
     * @param nodes number of nodes
     * @param outBytes bytes read from the source
     */
    public double ofPart(double seconds, int nodes, double outBytes) {
        return seconds / SECONDS_PER_HOUR * nodes * perNodeHour + outBytes / BYTES_PER_GB * perGbOut;
    }

    /**
     * Returns the cost of a job: equation 1 of {@link CostModel}, plus the storage of copies after the job, plus the
     * bytes that the source charges.
     *
     * @param run the job
     * @param storedBytes bytes on the data nodes
     * @param keepHours hours of storage after the job
     * @param outBytes bytes read from the source, repeated reads included
     */
    double cost(CostModel.Run run, double storedBytes, double keepHours, double outBytes) {
        double gbhCost = perGbMonth / CostModel.HOURS_PER_MONTH;
        double storedGb = storedBytes / BYTES_PER_GB;
        double storage = CostModel.storageCost(run, storedGb, gbhCost) + storedGb * gbhCost * keepHours;
        return CostModel.totalCost(run, perNodeHour, storage) + outBytes / BYTES_PER_GB * perGbOut;
    }
}
