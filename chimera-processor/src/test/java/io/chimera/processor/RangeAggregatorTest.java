package io.chimera.processor;

import io.chimera.api.kit.AggregatorContract;
import io.chimera.api.spi.Aggregator;

/** The processor's test plugin fulfils the contract of aggregators. */
final class RangeAggregatorTest extends AggregatorContract<RangeAggregator.Seen> {
    @Override
    protected Aggregator<RangeAggregator.Seen> aggregator() {
        return new RangeAggregator();
    }
}
