package io.chimera.common.metrics;

/** Counters of one plugin component. */
public enum PluginCounter implements CounterDescriptor {
    CALLS_FAILED("calls_failed", "Failed calls of the plugin, stopped calls included."),
    CALLS_STOPPED("calls_stopped", "Calls of the plugin stopped because they took longer than plugins.call_timeout."),
    THREADS_ABANDONED(
            "threads_abandoned",
            "Threads replaced because a call of the plugin did not return; the memory of these threads is lost."),
    QUARANTINES(
            "quarantines",
            "Quarantines of the plugin; a quarantine ends with another version of the plugin or a restart of the"
                    + " node.");

    private final MetricText text;

    PluginCounter(String what, String help) {
        text = new MetricText("plugin", what, help);
    }

    @Override
    public MetricText text() {
        return text;
    }
}
