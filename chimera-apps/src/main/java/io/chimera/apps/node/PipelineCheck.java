package io.chimera.apps.node;

import io.chimera.api.spi.Store;
import io.chimera.apps.node.graph.PipelinePlans;
import io.chimera.common.composition.InstalledTypes;
import io.chimera.common.composition.StateHorizon;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.ConfigException;
import io.chimera.common.config.ConfigProblem;
import io.chimera.common.error.ChimeraException;
import io.chimera.processor.NamedStore;
import io.chimera.processor.Pipeline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.CloseHelper;

/**
 * Checks what only the code that runs a pipeline knows: that its functions, the kinds of its blocks and of its stores exist, built in
 * or as plugins, and that its compositions are possible. Every node asks, so that a wrong name stops the first node that reads it, and not only the processors.
 */
final class PipelineCheck {
    private PipelineCheck() {}

    /**
     * Checks all pipelines.
     *
     * @param file for the message
     * @throws ConfigException when one cannot run
     */
    static void check(String file, ChimeraConfig config) {
        PipelinePlans.of(config, InstalledTypes.ofClassPath());
        Map<String, Store> stores = new TreeMap<>();
        try {
            stores.putAll(ProcessorLauncher.stores(config));
            Map<String, NamedStore> named = new TreeMap<>();
            stores.forEach((name, store) -> named.put(name, new NamedStore(name, store)));
            Pipeline.of(new TreeMap<>(config.pipelines()), named, InstalledTypes.ofClassPath());
            checkRetention(config);
        } catch (ChimeraException e) {
            throw new ConfigException(List.of(new ConfigProblem(file, 0, e.getMessage())));
        } finally {
            CloseHelper.quietCloseAll(stores.values());
        }
    }

    private static void checkRetention(ChimeraConfig config) {
        Duration horizon = StateHorizon.of(config.pipelines().values(), InstalledTypes.ofClassPath());
        if (!horizon.isZero() && config.queue().journal().retainBytes().bytes() == 0) {
            throw new ChimeraException(
                    ChimeraException.Category.FATAL,
                    "queue.journal.retain_bytes is 0, but blocks behind the shard keep state of the last "
                            + horizon.toSeconds() + " s, which is built anew out of what journals keep. Set it to the"
                            + " bytes of the points of that time, or more.");
        }
    }
}
