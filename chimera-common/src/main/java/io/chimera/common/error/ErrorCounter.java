package io.chimera.common.error;

import io.chimera.common.metrics.CounterDescriptor;

/** Error counters of a node. */
public enum ErrorCounter implements CounterDescriptor {
    /** Category WARN. */
    WARNINGS("warnings", "Errors from which the node recovered by itself."),
    /** Category ERROR. */
    ERRORS("errors", "Errors with data at risk until an operator acts."),
    /** Category FATAL, and defects. */
    FATALS("fatals", "Errors that stop the node.");

    private final String what;
    private final String help;

    ErrorCounter(String what, String help) {
        this.what = what;
        this.help = help;
    }

    @Override
    public String stage() {
        return "node";
    }

    @Override
    public String what() {
        return what;
    }

    @Override
    public String help() {
        return help;
    }
}
