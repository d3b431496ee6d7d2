package io.chimera.node.plugin;

import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Warnings about a node's plugins: failing plugins, and plugins with changed files on disk. Any thread. */
public final class PluginNotices {
    /** Poll interval for changed files; long, because a check reads all JARs. */
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(10);

    private final PluginHosts plugins;
    private final Path folder;
    private final Clock clock;
    private long lookedNs;
    private List<String> changes = List.of();

    /** Creates the warnings for plugins just loaded from a folder. */
    public PluginNotices(PluginHosts plugins, Path folder, Clock clock) {
        this.plugins = plugins;
        this.folder = folder;
        this.clock = clock;
        lookedNs = clock.nanoTime();
    }

    /** Returns all warnings, one sentence each. */
    public List<String> all() {
        List<String> all = new ArrayList<>(plugins.troubles());
        all.addAll(changes());
        return all;
    }

    private synchronized List<String> changes() {
        long nowNs = clock.nanoTime();
        if (nowNs - lookedNs > LOOK_NS) {
            lookedNs = nowNs;
            try {
                changes = plugins.newest().changes(folder).stream()
                        .map(change ->
                                change + " A reload of this node activates it; for inputs and stores, a restart.")
                        .toList();
            } catch (ChimeraException e) { // a JAR may be half copied
                changes = List.of(e.getMessage());
            }
        }
        return changes;
    }
}
