package io.chimera.node.config;

import io.chimera.api.spi.ParserType;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.Source;
import io.chimera.api.spi.Store;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.composition.StateHorizon;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.InputConfig;
import io.chimera.common.config.binding.ConfigException;
import io.chimera.common.config.binding.ConfigProblem;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.plugin.PluginHost;
import io.chimera.processor.pipeline.NamedStore;
import io.chimera.processor.pipeline.Pipeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.agrona.CloseHelper;

/**
 * Checks everything in a configuration that requires the code and the plugins. All functions and all kinds of blocks,
 * inputs and stores must exist, built in or as plugins. Plugins must accept their settings, and compositions must be
 * valid. Every node runs all checks. So a wrong name stops the first node that reads the configuration, not only the
 * nodes that would use the name.
 */
public final class PipelineCheck {
    private final String file;
    private final PluginHost plugins;
    private final List<ConfigProblem> problems = new ArrayList<>();

    private PipelineCheck(String file, PluginHost plugins) {
        this.file = file;
        this.plugins = plugins;
    }

    /**
     * Checks the whole configuration.
     *
     * @param file configuration file, for the messages
     * @throws ConfigException with all problems
     */
    public static void check(String file, ChimeraConfig config, PluginHost plugins) {
        List<ConfigProblem> problems = problems(file, config, plugins);
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }

    /**
     * Checks the whole configuration.
     *
     * @param file configuration file, for the messages
     * @return all problems
     */
    static List<ConfigProblem> problems(String file, ChimeraConfig config, PluginHost plugins) {
        PipelineCheck check = new PipelineCheck(file, plugins);
        config.inputs().forEach(check::input);
        Map<String, NamedStore> stores = new TreeMap<>();
        ArchiveStores archives =
                new ArchiveStores(config.node().dataDir(), new SystemClock(), new Counters<>(ArchiveCounter.class));
        config.stores()
                .forEach((name, store) -> check.tell("stores." + name, () -> {
                    PluginContext context = StorePlugins.context(name, store, plugins);
                    Store made = StorePlugins.create(name, store, plugins, archives, Optional.empty());
                    stores.put(context.name(), new NamedStore(name, made));
                }));
        int before = check.problems.size();
        check.tell("", () -> PipelinePlans.of(config, plugins.blocks()));
        if (check.problems.size() == before) {
            check.tell(
                    "queue.journal.retain_bytes",
                    () -> check.retention(config)); // needs the state horizons of all compositions
        }
        config.pipelines().forEach((name, pipeline) -> check.pipeline(name, pipeline, stores));
        stores.values().forEach(store -> CloseHelper.quietClose(store.store()));
        return check.problems.stream().distinct().toList();
    }

    private void pipeline(String name, PipelineConfig pipeline, Map<String, NamedStore> stores) {
        int before = problems.size();
        Pipeline.checks(name, pipeline, stores, plugins).forEach(check -> tell(check.key(), check.run()));
        if (problems.size() == before && stores.keySet().containsAll(pipeline.stores())) {
            tell("pipelines." + name, () -> Pipeline.of(new TreeMap<>(Map.of(name, pipeline)), stores, plugins));
        }
    }

    private void retention(ChimeraConfig config) {
        Duration horizon = StateHorizon.of(config.pipelines().values(), plugins.blocks());
        if (!horizon.isZero() && config.queue().journal().retainBytes().bytes() == 0) {
            throw new ChimeraException(
                    ChimeraException.Category.FATAL,
                    "queue.journal.retain_bytes is 0, but blocks after the shard keep state of the last "
                            + horizon.toSeconds()
                            + " s, which is rebuilt from the journals. Set it at least to the size"
                            + " of the points of that time.");
        }
    }

    /** Runs a check; a failure without a key of its own belongs to the given key. */
    private void tell(String key, Runnable step) {
        try {
            step.run();
        } catch (ConfigException e) {
            problems.addAll(e.problems());
        } catch (ChimeraException e) {
            problems.add(new ConfigProblem(file, 0, key, e.getMessage()));
        }
    }

    private void input(String name, InputConfig input) {
        if (!input.isPlugin()) {
            return;
        }
        tell("inputs." + name, () -> {
            Optional<PluginContext> source = plugins.context(Source.class, input.type(), name, input.settings());
            if (source.isPresent()) {
                if (input.listens()) {
                    problems.add(input.settings()
                            .problem(
                                    "type",
                                    "is of type '" + input.type()
                                            + "', a source that fetches its points itself; remove http, tcp and udp."));
                }
                return;
            }
            Optional<PluginContext> parser = plugins.context(ParserType.class, input.type(), name, input.settings());
            if (parser.isEmpty()) {
                TreeSet<String> known = new TreeSet<>(plugins.names(ParserType.class));
                known.addAll(plugins.names(Source.class));
                problems.add(input.settings()
                        .problem(
                                "type",
                                "is of type '" + input.type() + "', an unknown type (known types: "
                                        + String.join(", ", known)
                                        + "). Correct the type, or install its plugin."));
            } else if (!input.listens()) {
                problems.add(input.settings()
                        .problem("type", "has no address; set http, tcp or udp, e.g. to 127.0.0.1:8086."));
            }
        });
    }
}
