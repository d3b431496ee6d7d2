package io.chimera.common.metrics;

/** Counters of one plugin component. */
public enum PluginCounter implements CounterDescriptor {
    /** Failed calls. */
    CALLS_FAILED("calls_failed", "Failed calls of the plugin, stopped calls included."),
    /** Stopped calls. */
    CALLS_STOPPED("calls_stopped", "Calls of the plugin stopped because they took longer than plugins.call_timeout."),
    /** Abandoned threads. */
    THREADS_ABANDONED(
            "threads_abandoned",
            "Threads replaced because a call of the plugin did not return; the memory of these threads is lost."),
    /** Quarantines. */
    QUARANTINES(
            "quarantines",
            "Quarantines of the plugin; a quarantine ends with another version of the plugin or a restart of the"
                    + " node.");

    private final String what;
    private final String help;

    PluginCounter(String what, String help) {
        this.what = what;
        this.help = help;
    }

    @Override
    public String stage() {
        return "plugin";
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
