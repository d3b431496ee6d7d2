package io.chimera.common.plugin;

import io.chimera.common.config.Durations;
import io.chimera.common.config.PluginsConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.PluginCounter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.ErrorHandler;

/**
 * What stands between a node and one thing that a plugin provides: counts what fails, tells it to the log, and quarantines the
 * plugin when it was too often. Any thread.
 */
public final class Fence {
    private final Provided<?> plugin;
    private final PluginsConfig limits;
    private final Counters<PluginCounter> counters;
    private final ErrorHandler errors;
    private final Watchdog watchdog;
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicReference<String> stuck = new AtomicReference<>();
    private volatile PluginFailure quarantine;

    Fence(
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

    /** What is behind the fence. */
    public Provided<?> plugin() {
        return plugin;
    }

    /** A watch for an instance of the plugin. */
    public Watch watch() {
        return new Watch(this, watchdog);
    }

    /** Whether the plugin is not called any more. */
    public boolean isQuarantined() {
        return quarantine != null;
    }

    /** Throws when the plugin is not called any more. */
    public void check() {
        PluginFailure failure = quarantine;
        if (failure != null) {
            throw failure;
        }
    }

    /** What to do about it, when it is quarantined or holds a thread; null when neither. */
    public String trouble() {
        PluginFailure failure = quarantine;
        return failure == null ? stuck.get() : failure.getMessage();
    }

    /** A thread that runs the plugin cannot be stopped; null when it could after all. */
    void stuck(String trouble) {
        stuck.set(trouble);
    }

    /**
     * Counts a failed call.
     *
     * @param call which one, e.g. {@code fold}
     * @param cause what it threw
     * @return to be thrown
     */
    public PluginFailure failed(String call, Throwable cause) {
        counters.increment(PluginCounter.CALLS_FAILED);
        PluginFailure failure = new PluginFailure(
                "The " + plugin + " failed in " + call + ": " + cause + ". Correct the plugin, or take it out of the"
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
                        + ". It is not called any more: correct the plugin, deploy it and have the node reload, or"
                        + " restart the node, or take it out of the configuration.",
                null);
        counters.increment(PluginCounter.QUARANTINES);
        errors.onError(quarantine);
    }

    /** A call takes too long and is being stopped. */
    void stopping(String call, Thread thread, StackTraceElement[] stack) {
        counters.increment(PluginCounter.CALLS_STOPPED);
        tell(
                call + " within " + Durations.format(limits.callTimeout()) + " (plugins.call_timeout) on thread "
                        + thread.getName()
                        + " and is stopped. Correct the plugin so that it neither waits nor loops, or allow it more"
                        + " time.",
                stack);
    }

    /** A call takes too long; its thread is left to itself, and another takes its place. */
    public void abandoned(String call, Thread thread, Duration timeout) {
        counters.increment(PluginCounter.CALLS_STOPPED);
        counters.increment(PluginCounter.THREADS_ABANDONED);
        tell(
                call + " within " + Durations.format(timeout) + " on thread " + thread.getName()
                        + ", which is interrupted and replaced. Give what the plugin waits for a shorter timeout, or allow it more time.",
                thread.getStackTrace());
    }

    private void tell(String what, StackTraceElement[] stack) {
        StringBuilder text = new StringBuilder("The " + plugin + " does not return from " + what + " It stood here:");
        for (StackTraceElement frame : stack) {
            text.append("\n    at ").append(frame);
        }
        ChimeraException told = new ChimeraException(Category.ERROR, text.toString());
        told.setStackTrace(stack);
        errors.onError(told);
    }

    /** A call goes on though it was stopped. */
    void unstoppable(String call, Thread thread) {
        String trouble = "The " + plugin + " does not end its " + call + " though it was stopped, and holds thread "
                + thread.getName() + " of this node. Take the plugin out, and kill and start this node.";
        if (stuck.compareAndSet(null, trouble)) {
            errors.onError(new ChimeraException(Category.ERROR, trouble));
        }
    }

    PluginsConfig limits() {
        return limits;
    }
}
