package io.chimera.node.launch;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.NodeConfig.Role;
import io.chimera.common.config.binding.ConfigWriter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.plugin.PluginRegistry;
import io.chimera.node.NodeNames;
import io.chimera.node.Version;
import io.chimera.node.config.PipelineCheck;
import io.chimera.node.option.ConfigOptions;
import io.chimera.node.plugin.NodePlugins;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a node until a stop signal. */
@Command(name = "run", description = "Run a node until a signal stops it.", mixinStandardHelpOptions = true)
public final class RunCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ROLE",
            description = "One of ${COMPLETION-CANDIDATES}. Default: node.role of the configuration.")
    private Role role;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(names = "--exit-with-parent", hidden = true, description = "Stop when standard input ends.")
    private boolean exitWithParent;

    @Override
    public Integer call() throws InterruptedException {
        Supplier<ChimeraConfig> reader =
                () -> options.load(role == null ? List.of() : List.of("node.role=" + NodeNames.role(role)));
        ChimeraConfig config = reader.get();
        PluginRegistry registry = NodePlugins.load(config);
        PipelineCheck.check(options.path().toString(), config, PluginHost.unfenced(registry));
        LOG.info(
                "Starting chimera {}: config={} digest={} changed_keys={}. chimera print-config shows all keys.",
                Version.text(),
                options.path(),
                config.digest().substring(0, 12),
                ConfigWriter.changedKeys(config));
        if (LOG.isDebugEnabled()) {
            LOG.debug("Configuration in effect:\n{}", ConfigWriter.yaml(config).stripTrailing());
        }
        registry.provided().stream()
                .filter(found -> found.origin().isFolder())
                .forEach(found -> LOG.info(
                        "Loaded plugin: {} digest={}",
                        found,
                        found.origin().digest().substring(0, 12)));
        config.warnings().forEach(LOG::warn);
        NodeProcess process = new NodeProcess(config, reader, registry, Launchers.all());
        if (exitWithParent) {
            ParentWatch.start(System.in, () -> process.stop("the end of the parent process", false));
        }
        return process.run();
    }
}
