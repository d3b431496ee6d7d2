package io.chimera.common.metrics;

/** What a node counts of each plugin. */
public enum PluginCounter implements CounterDescriptor {
    /** Failures. */
    CALLS_FAILED("calls_failed", "Calls of the plugin that threw, or were stopped."),
    /** Calls without end. */
    CALLS_STOPPED("calls_stopped", "Calls of the plugin that took longer than plugins.call_timeout and were stopped."),
    /** Threads that are lost. */
    THREADS_ABANDONED(
            "threads_abandoned",
            "Threads that did not come back from the plugin and were replaced; their memory is lost."),
    /** Quarantines. */
    QUARANTINES(
            "quarantines",
            "Times that the plugin was quarantined: not called until another version is taken up or the node is restarted.");

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
