package io.chimera.dataset.plan;

/**
 * Cost of a data-set job on rented machines: equations 1 to 3 of section IV of the paper on Stream&amp;Compute (SC) and
 * Copy&amp;Compute (CC), with the names of the paper. Costs are in one currency, times in hours, sizes in GB.
 *
 * <pre>
 * (1) TotalCost   = TotalEvents / CompRateTotal * (NVMsData + NVMsComp) * VMCost + StorageCost
 *     StorageCost = TotalEvents / CompRateTotal * SizeEv * GBHCost                (0 for SC)
 *     GBHCost     = price of a GB and month / 720 h
 *
 * (2) TotalCostSC   TotalEvents/CompRateTotalSC                  NVMsComp * VMCost
 *     ----------- = --------------------------- * -------------------------------------------------
 *     TotalCostCC   TotalEvents/CompRateTotalCC   (NVMsData + NVMsComp) * VMCost + SizeEv * GBHCost
 *
 * (3) the same with GBHCost = VMCost / 720:
 *     TotalCostSC   CompRateTotalCC                  NVMsComp
 *     ----------- ~ --------------- * -----------------------------------
 *     TotalCostCC   CompRateTotalSC   NVMsData + NVMsComp + SizeEv / 720
 * </pre>
 *
 * <p>CompRateTotal is the rate of the whole job: for CC the time of copying is part of the time. Stateless; any thread.
 */
public final class CostModel {
    /** Hours of a month with 30 days. */
    public static final double HOURS_PER_MONTH = 720;

    private static final double SECONDS_PER_HOUR = 3600;

    private CostModel() {}

    /**
     * A job under one strategy.
     *
     * @param totalEvents TotalEvents: number of events
     * @param compRateTotal CompRateTotal: events per second of all machines together, over the whole job
     * @param nVmsComp NVMsComp: number of machines for computation
     * @param nVmsData NVMsData: number of machines for data acquisition; 0 for SC
     */
    public record Run(double totalEvents, double compRateTotal, int nVmsComp, int nVmsData) {
        /**
         * Checks the values.
         *
         * @param totalEvents at least 0
         * @param compRateTotal more than 0
         * @param nVmsComp at least 1
         * @param nVmsData at least 0
         */
        public Run {
            if (!(totalEvents >= 0) || !(compRateTotal > 0) || nVmsComp < 1 || nVmsData < 0) {
                throw new IllegalArgumentException(totalEvents + " events at " + compRateTotal + " events/s on "
                        + nVmsComp + " + " + nVmsData + " machines; expected a positive rate and a machine");
            }
        }

        /** Returns the duration of the job in hours. */
        public double hours() {
            return totalEvents / compRateTotal / SECONDS_PER_HOUR;
        }
    }

    /**
     * Prices of machines and storage.
     *
     * @param vmCost VMCost: price of a machine and hour
     * @param gbhCost GBHCost: price of a GB and hour on persistent storage
     */
    public record Rent(double vmCost, double gbhCost) {
        /** Returns prices with storage quoted per GB and month, as providers quote storage. */
        public static Rent ofMonthly(double vmCost, double costPerGbMonth) {
            return new Rent(vmCost, costPerGbMonth / HOURS_PER_MONTH);
        }
    }

    /**
     * Equation 1.
     *
     * @param run the job
     * @param vmCost VMCost: price of a machine and hour
     * @param storageCost StorageCost: price of the storage for the duration of the job; 0 for SC
     * @return TotalCost
     */
    public static double totalCost(Run run, double vmCost, double storageCost) {
        return run.hours() * (run.nVmsData() + run.nVmsComp()) * vmCost + storageCost;
    }

    /**
     * StorageCost of equation 1: price to store the data set for the duration of the job.
     *
     * @param run the job
     * @param sizeEv SizeEv: size of all events in GB
     * @param gbhCost GBHCost: price of a GB and hour
     */
    public static double storageCost(Run run, double sizeEv, double gbhCost) {
        return run.hours() * sizeEv * gbhCost;
    }

    /**
     * Equation 2: cost of Stream&amp;Compute divided by the cost of Copy&amp;Compute.
     *
     * @param stream the job as SC
     * @param copy the same events as CC
     * @param sizeEv SizeEv: size of all events in GB
     * @param rent the prices
     */
    public static double costRatio(Run stream, Run copy, double sizeEv, Rent rent) {
        return stream.hours()
                / copy.hours()
                * (stream.nVmsComp() * rent.vmCost())
                / ((copy.nVmsData() + copy.nVmsComp()) * rent.vmCost() + sizeEv * rent.gbhCost());
    }

    /**
     * Equation 3: approximation of equation 2 without prices, valid where a GB and month costs about as much as a
     * machine and hour.
     *
     * @param stream the job as SC
     * @param copy the same events as CC
     * @param sizeEv SizeEv: size of all events in GB
     */
    public static double approximateCostRatio(Run stream, Run copy, double sizeEv) {
        return copy.compRateTotal()
                / stream.compRateTotal()
                * stream.nVmsComp()
                / (copy.nVmsData() + copy.nVmsComp() + sizeEv / HOURS_PER_MONTH);
    }
}
