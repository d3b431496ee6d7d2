package io.chimera.common.error;

import io.chimera.common.metrics.CounterDescriptor;
import io.chimera.common.metrics.MetricText;

/** Error counters of a node. */
public enum ErrorCounter implements CounterDescriptor {
    WARNINGS("warnings", "Errors from which the node recovered by itself."),
    ERRORS("errors", "Errors with data at risk until an operator acts."),
    FATALS("fatals", "Errors that stop the node.");

    private final MetricText text;

    ErrorCounter(String what, String help) {
        text = new MetricText("node", what, help);
    }

    @Override
    public MetricText text() {
        return text;
    }
}
