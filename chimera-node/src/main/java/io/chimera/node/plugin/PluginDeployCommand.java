package io.chimera.node.plugin;

import io.chimera.common.access.AuditLog;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.binding.ConfigException;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.AccessCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.plugin.PluginOrigin;
import io.chimera.common.plugin.PluginRegistry;
import io.chimera.common.plugin.Provided;
import io.chimera.node.option.ConfigOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Installs or replaces a plugin in the plugin folder of this machine: atomically, and only if the plugin loads together
 * with all other plugins. Folders with a leading dot are ignored, so an incomplete copy is never loaded.
 */
@Command(
        name = "deploy",
        description = {
            "Install or replace a plugin in the plugin folder of this machine.",
            "Refuses a plugin that does not load together with the other plugins. Running nodes activate it on a"
                    + " reload, all at one cycle boundary: chimera cluster reload."
        },
        mixinStandardHelpOptions = true)
final class PluginDeployCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Parameters(paramLabel = "DIR", description = "Folder with the plugin's JARs, or its project after 'mvn verify'.")
    private Path from;

    @Option(names = "--folder", paramLabel = "DIR", description = "Plugin folder, overriding the configuration.")
    private Path folder;

    @Override
    public Integer call() {
        Optional<ChimeraConfig> config = config();
        Path into = folder == null
                ? NodePlugins.folder(config.orElseGet(PluginDeployCommand::defaults))
                : folder.toAbsolutePath();
        PluginBuild build = PluginBuild.in(from);
        Path trial = into.resolve("." + build.name() + ".trial");
        try {
            String edition = deploy(build, into, trial);
            audit(config, build.name() + " " + edition + " in " + into, "ok");
        } catch (ChimeraException e) {
            audit(config, build.name() + " in " + into, "refused: " + e.getMessage());
            throw e;
        } catch (IOException e) {
            audit(config, build.name() + " in " + into, "failed: " + e);
            throw new ChimeraException(
                    Category.FATAL,
                    "The plugin cannot be installed in " + into + " (" + e + "); nothing was changed.",
                    e);
        } finally {
            delete(trial);
        }
        return 0;
    }

    /** Records the deployment in the audit log of this machine's node. */
    private void audit(Optional<ChimeraConfig> config, String target, String result) {
        PrintWriter out = spec.commandLine().getOut();
        Path dataDir = config.map(found -> found.node().dataDir()).orElse(null);
        if (dataDir == null || !Files.isDirectory(dataDir)) {
            out.println("Not recorded in an audit log: "
                    + (dataDir == null
                            ? "there is no configuration with node.data_dir."
                            : "no node has run here; node.data_dir " + dataDir + " does not exist."));
            return;
        }
        Counters<AccessCounter> counters = new Counters<>(AccessCounter.class);
        try (AuditLog log = new AuditLog(dataDir, new SystemClock(), counters)) {
            log.record(new AuditLog.Entry(System.getProperty("user.name"), "", "plugin deploy", target, false, result));
        }
        if (counters.get(AccessCounter.AUDIT_RECORDS_LOST) > 0) {
            out.println("Not recorded in the audit log: " + dataDir.resolve(AuditLog.FILE)
                    + " cannot be written. Run the command as the user of the node.");
        }
    }

    private String deploy(PluginBuild build, Path into, Path trial) throws IOException {
        Files.createDirectories(into);
        delete(trial);
        try (Stream<Path> others = Files.list(into)) {
            for (Path other : others.filter(Files::isDirectory).toList()) {
                String name = other.getFileName().toString();
                if (!name.startsWith(".") && !name.equals(build.name())) {
                    PluginBuild.in(other).copyTo(trial.resolve(name));
                }
            }
        }
        build.copyTo(trial.resolve(build.name()));
        PluginOrigin origin = origin(load(trial), build.name()).orElseThrow();
        Path place = into.resolve(build.name());
        Path old = into.resolve("." + build.name() + ".old");
        delete(old);
        if (Files.exists(place)) {
            Files.move(place, old);
        }
        Files.move(trial.resolve(build.name()), place);
        delete(old);
        PrintWriter out = spec.commandLine().getOut();
        out.println("Installed plugin " + build.name() + " " + origin.edition() + " in " + place + ".");
        out.println(
                "Repeat this on all machines of the cluster. For a plugin of pipelines, run 'chimera cluster reload':"
                        + " all nodes activate it at the same cycle. For a plugin of inputs or stores, restart the nodes"
                        + " one after the other, coordinators first.");
        return origin.edition();
    }

    private static PluginRegistry load(Path trial) {
        try {
            return PluginRegistry.load(trial, PluginDeployCommand.class.getClassLoader());
        } catch (ChimeraException e) {
            throw new ChimeraException(Category.FATAL, e.getMessage() + " Nothing was changed.", e);
        }
    }

    private static Optional<PluginOrigin> origin(PluginRegistry registry, String plugin) {
        return registry.provided().stream()
                .map(Provided::origin)
                .filter(origin -> origin.isFolder() && origin.name().equals(plugin))
                .findFirst();
    }

    private static void delete(Path path) {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        } catch (IOException e) {
            throw new ChimeraException(Category.ERROR, path + " cannot be removed (" + e + "); remove it.", e);
        }
    }

    /** Loads the configuration, if one exists. With --folder, the command works even with an invalid configuration. */
    private Optional<ChimeraConfig> config() {
        try {
            return options.loadIfPresent();
        } catch (ConfigException e) {
            if (folder == null) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private static ChimeraConfig defaults() {
        return new ConfigLoader(System.getenv()).parse("defaults", "", List.of());
    }
}
