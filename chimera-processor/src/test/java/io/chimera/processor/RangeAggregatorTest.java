package io.chimera.processor;

import io.chimera.api.kit.AggregatorContract;
import io.chimera.api.spi.Aggregator;

/** The function that the tests of the processor use as a plugin is a good one. */
final class RangeAggregatorTest extends AggregatorContract<RangeAggregator.Seen> {
    @Override
    protected Aggregator<RangeAggregator.Seen> aggregator() {
        return new RangeAggregator();
    }
}
