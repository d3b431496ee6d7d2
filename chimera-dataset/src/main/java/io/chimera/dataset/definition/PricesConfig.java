package io.chimera.dataset.definition;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import io.chimera.dataset.plan.Prices;

/** Prices of a job. */
public record PricesConfig(
        @Doc("Price of a node and hour.") @Default("0") Double nodeHour,

        @Doc("Price of a GB and month (720 hours) on the storage for copies.") @Default("0")
        Double gbMonth,

        @Doc("Price of a GB read from the source.") @Default("0")
        Double gbOut,

        @Doc("Name of the currency in reports.") @Default("USD")
        String currency) {
    /** Checks the values. */
    public PricesConfig {
        new Requirements()
                .that(nodeHour >= 0, "node_hour", nodeHour, "at least 0")
                .that(gbMonth >= 0, "gb_month", gbMonth, "at least 0")
                .that(gbOut >= 0, "gb_out", gbOut, "at least 0")
                .check();
    }

    /** Returns the prices. */
    public Prices prices() {
        return new Prices(nodeHour, gbMonth, gbOut, currency);
    }
}
