package io.chimera.common.config;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import java.nio.file.Path;
import java.time.Duration;

/** Folder of the plugins, and limits of their calls. */
public record PluginsConfig(
        @Doc("Folder with one folder per plugin; empty: plugins/ of this installation.") @Default
        Path folder,

        @Doc("Number of failures since the start of the node that quarantines a plugin, which is then no longer"
                + " called; 1 to 1_000_000.")
        @Default("100")
        Integer failuresMax,

        @Doc("Time limit of a plugin call; a longer call is stopped and counts as a failure. 100ms to 10m.")
        @Default("5s")
        Duration callTimeout) {
    /** Checks the values. */
    public PluginsConfig {
        new Requirements()
                .between("failures_max", failuresMax, 1, 1_000_000)
                .between("call_timeout", callTimeout, Duration.ofMillis(100), Duration.ofMinutes(10))
                .check();
    }
}
