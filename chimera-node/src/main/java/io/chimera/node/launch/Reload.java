package io.chimera.node.launch;

import io.chimera.api.spi.Store;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.StoreConfig;
import io.chimera.common.config.binding.ConfigWriter;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.plugin.PluginRegistry;
import io.chimera.node.config.PipelineCheck;
import io.chimera.node.launch.Launcher.RunningNode;
import io.chimera.node.plugin.NodePlugins;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reloads the configuration and the plugins of a running process. Only pipelines may change, and the plugins they use,
 * except stores. The nodes load the new pipelines in addition to the old ones, and the conductor decides the first
 * cycle of the new pipelines. A reload is refused as a whole and then changes nothing. Any thread.
 */
final class Reload {
    private static final Logger LOG = LoggerFactory.getLogger(Reload.class);

    /** The only section that may change. */
    private static final String PIPELINES = "pipelines";

    /** Length of a digest in messages. */
    private static final int BRIEF = 12;

    private final ChimeraConfig started;
    private final PluginRegistry startedPlugins;
    private final Supplier<ChimeraConfig> reader;
    private volatile String refusal = "";

    /**
     * Creates the reload of a process.
     *
     * @param started the configuration of the start
     * @param startedPlugins the plugins of the start
     * @param reader reads the configuration file again
     */
    Reload(ChimeraConfig started, PluginRegistry startedPlugins, Supplier<ChimeraConfig> reader) {
        this.started = started;
        this.startedPlugins = startedPlugins;
        this.reader = reader;
    }

    /**
     * Reads and checks the configuration, and passes the changes to the nodes.
     *
     * @param nodes nodes of the process
     * @return the result as a sentence
     * @throws ChimeraException with all problems, when the reload is refused
     */
    synchronized String run(List<RunningNode> nodes) {
        try {
            String answer = take(nodes);
            refusal = "";
            LOG.info("{}", answer);
            return answer;
        } catch (ChimeraException e) {
            refusal = "Reload refused, the previous configuration stays in force: " + e.getMessage();
            throw new ChimeraException(Category.ERROR, refusal, e);
        }
    }

    private String take(List<RunningNode> nodes) {
        ChimeraConfig next = reader.get();
        List<String> fixed = differences(started, next);
        if (!fixed.isEmpty()) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Only pipelines can change while a node runs, but other keys have changed too: "
                            + String.join(", ", fixed) + ". Restart the node, or revert these changes.");
        }
        PluginRegistry plugins = NodePlugins.load(next);
        PipelineCheck.check("The configuration", next, PluginHost.unfenced(plugins));
        refuseOtherStores(next, plugins);
        ConfigurationDigest digest = NodePlugins.agreement(next, plugins);
        nodes.forEach(node -> node.hold(digest, next, plugins));
        return "Configuration " + digest.configuration().substring(0, BRIEF)
                + " is loaded. It takes effect once the whole cluster has loaded it. See chimera cluster status.";
    }

    /** Returns the reason for the refusal of the last reload; empty after an accepted reload. Any thread. */
    List<String> refusal() {
        return refusal.isEmpty() ? List.of() : List.of(refusal);
    }

    /** Returns the changed keys outside the pipelines as {@code section.key}; such changes need a restart. */
    static List<String> differences(ChimeraConfig before, ChimeraConfig after) {
        List<String> all = new ArrayList<>();
        Map<String, Object> old = ConfigWriter.tree(before);
        Map<String, Object> now = ConfigWriter.tree(after);
        old.remove(PIPELINES);
        now.remove(PIPELINES);
        collect("", old, now, all);
        if (all.isEmpty()) { // secrets are redacted in the maps
            Map<String, Object> sections = fixedSections(after);
            fixedSections(before).forEach((name, section) -> {
                if (!section.equals(sections.get(name))) {
                    all.add("a secret in " + name);
                }
            });
        }
        return all;
    }

    private static Map<String, Object> fixedSections(ChimeraConfig config) {
        return new TreeMap<>(Map.of(
                "node", config.node(),
                "coordinator", config.coordinator(),
                "cycle", config.cycle(),
                "queue", config.queue(),
                "processor", config.processor(),
                "inputs", config.inputs(),
                "stores", config.stores(),
                "plugins", config.plugins()));
    }

    private static void collect(String path, Map<?, ?> before, Map<?, ?> after, List<String> all) {
        TreeSet<String> keys = new TreeSet<>();
        before.keySet().forEach(key -> keys.add(key.toString()));
        after.keySet().forEach(key -> keys.add(key.toString()));
        for (String key : keys) {
            Object old = before.get(key);
            Object now = after.get(key);
            if (old instanceof Map<?, ?> oldMap && now instanceof Map<?, ?> nowMap) {
                collect(path + key + ".", oldMap, nowMap, all);
            } else if (!Objects.equals(old, now)) {
                all.add(path + key);
            }
        }
    }

    /** Refuses changed store plugins, because stores are opened only once. */
    private void refuseOtherStores(ChimeraConfig next, PluginRegistry registry) {
        for (StoreConfig store : next.stores().values()) {
            if (store.isPlugin() && !edition(startedPlugins, store).equals(edition(registry, store))) {
                throw new ChimeraException(
                        Category.ERROR,
                        "The plugin of store type " + store.type()
                                + " has changed, but stores are opened only once. Restart the"
                                + " node, or restore the previous plugin.");
            }
        }
    }

    private static Optional<String> edition(PluginRegistry registry, StoreConfig store) {
        return registry.find(Store.class, store.type())
                .map(found -> found.origin().edition());
    }
}
