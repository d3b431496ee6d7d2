package io.chimera.common.config;

import java.nio.file.Path;
import java.time.Duration;

/** Folder of the plugins, and limits of their calls. */
public record PluginsConfig(
        @Doc("Folder with a folder for each plugin; empty takes plugins/ beside this Chimera.")
        Path folder,

        @Doc(
                "A plugin that failed so often since the node started is quarantined: not called any more; 1 to 1_000_000.")
        Integer failuresMax,

        @Doc("A call of a plugin that takes longer is stopped, and has failed; 100ms to 10m.")
        Duration callTimeout) {
    /** Sets the defaults. */
    public PluginsConfig {
        folder = folder == null ? Path.of("") : folder;
        failuresMax = failuresMax == null ? 100 : failuresMax;
        callTimeout = callTimeout == null ? Duration.ofSeconds(5) : callTimeout;
        new Requirements()
                .between("failures_max", failuresMax, 1, 1_000_000)
                .between("call_timeout", callTimeout, Duration.ofMillis(100), Duration.ofMinutes(10))
                .check();
    }
}
