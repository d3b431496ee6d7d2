package io.chimera.common.plugin;

import io.chimera.common.config.PluginsConfig;
import io.chimera.common.config.binding.Durations;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.PluginCounter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.ErrorHandler;

/**
 * Guard between a node and one plugin component: counts failures, reports failures to the log, and quarantines the
 * component after too many failures. Any thread.
 */
public final class PluginGuard {
    private final Provided<?> plugin;
    private final PluginsConfig limits;
    private final Counters<PluginCounter> counters;
    private final ErrorHandler errors;
    private final Watchdog watchdog;
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicReference<String> stuck = new AtomicReference<>();
    private volatile PluginFailure quarantine;

    PluginGuard(
            Provided<?> plugin,
            PluginsConfig limits,
            Counters<PluginCounter> counters,
            ErrorHandler errors,
            Watchdog watchdog) {
        this.plugin = plugin;
        this.limits = limits;
        this.counters = counters;
        this.errors = errors;
        this.watchdog = watchdog;
    }

    /** Guarded plugin component. */
    public Provided<?> plugin() {
        return plugin;
    }

    /** Creates a watch for an instance of the plugin component. */
    public Watch watch() {
        return new Watch(this, watchdog);
    }

    /** Returns whether the component is quarantined, so the node no longer calls it. */
    public boolean isQuarantined() {
        return quarantine != null;
    }

    /** Throws if the component is quarantined. */
    public void check() {
        PluginFailure failure = quarantine;
        if (failure != null) {
            throw failure;
        }
    }

    /** Current problem with a remedy: a quarantine or a blocked thread; null without a problem. */
    public String trouble() {
        PluginFailure failure = quarantine;
        return failure == null ? stuck.get() : failure.getMessage();
    }

    /** Records a thread that cannot be stopped; null clears the record after a late stop. */
    void stuck(String trouble) {
        stuck.set(trouble);
    }

    /**
     * Counts a failed call.
     *
     * @param call name of the call, e.g. {@code fold}
     * @param cause exception of the call
     * @return failure for the caller to throw
     */
    public PluginFailure failed(String call, Throwable cause) {
        counters.increment(PluginCounter.CALLS_FAILED);
        PluginFailure failure = new PluginFailure(
                "The " + plugin + " failed in " + call + ": " + cause + ". Correct the plugin, or remove it from the"
                        + " configuration.",
                cause);
        errors.onError(failure);
        if (failures.incrementAndGet() == limits.failuresMax()) {
            quarantine(call, cause);
        }
        return failure;
    }

    private void quarantine(String call, Throwable cause) {
        quarantine = new PluginFailure(
                "The " + plugin + " is quarantined after " + limits.failuresMax()
                        + " failures (plugins.failures_max), the last"
                        + " in " + call + ": " + cause
                        + ". The node no longer calls it. Correct the plugin, deploy it and reload the node, or"
                        + " restart the node, or remove the plugin from the configuration.",
                null);
        counters.increment(PluginCounter.QUARANTINES);
        errors.onError(quarantine);
    }

    /** Reports a call that exceeds the timeout and is being stopped. */
    void stopping(String call, Thread thread, StackTraceElement[] stack) {
        counters.increment(PluginCounter.CALLS_STOPPED);
        tell(
                call + " within " + Durations.format(limits.callTimeout()) + " (plugins.call_timeout) on thread "
                        + thread.getName()
                        + " and is stopped. Correct the plugin to neither block nor loop, or increase the"
                        + " timeout.",
                stack);
    }

    /** Reports a call that exceeds the timeout; another thread replaces the thread of the call. */
    public void abandoned(String call, Thread thread, Duration timeout) {
        counters.increment(PluginCounter.CALLS_STOPPED);
        counters.increment(PluginCounter.THREADS_ABANDONED);
        tell(
                call + " within " + Durations.format(timeout) + " on thread " + thread.getName()
                        + ", which is interrupted and replaced. Shorten the plugin's timeout, or increase this one.",
                thread.getStackTrace());
    }

    private void tell(String what, StackTraceElement[] stack) {
        StringBuilder text =
                new StringBuilder("The " + plugin + " does not return from " + what + " Stack trace of the call:");
        for (StackTraceElement frame : stack) {
            text.append("\n    at ").append(frame);
        }
        ChimeraException told = new ChimeraException(Category.ERROR, text.toString());
        told.setStackTrace(stack);
        errors.onError(told);
    }

    /** Reports a call that continues after the stop. */
    void unstoppable(String call, Thread thread) {
        String trouble = "The " + plugin + " continues its " + call + " after the stop and blocks thread "
                + thread.getName() + " of this node. Remove the plugin, then kill and start this node.";
        if (stuck.compareAndSet(null, trouble)) {
            errors.onError(new ChimeraException(Category.ERROR, trouble));
        }
    }

    PluginsConfig limits() {
        return limits;
    }
}
