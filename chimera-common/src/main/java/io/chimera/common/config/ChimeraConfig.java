package io.chimera.common.config;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.pipeline.PipelineConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Complete configuration. Queue nodes, processors and coordinators of one cluster may share one file. */
public record ChimeraConfig(
        @Doc("This node.") @Default NodeConfig node,

        @Doc("Coordination of the cluster.") @Default CoordinatorConfig coordinator,

        @Doc("End of a cycle.") @Default CycleConfig cycle,

        @Doc("Queue nodes.") @Default QueueConfig queue,

        @Doc("Processors.") @Default ProcessorConfig processor,

        @Doc("Inputs of the queue nodes, by name.") @Default Map<String, InputConfig> inputs,

        @Doc("Pipelines, by name: selection of points, aggregation, and stores of the rows.") @Default
        Map<String, PipelineConfig> pipelines,

        @Doc("Stores, by name.") @Default Map<String, StoreConfig> stores,

        @Doc("Plugins: folder and limits.") @Default PluginsConfig plugins,

        @Doc("Jobs over data sets on the processors; absent: this node computes no jobs.")
        DatasetsConfig datasets) {
    /** Orders the maps by name. */
    public ChimeraConfig {
        inputs = ordered(inputs);
        pipelines = ordered(pipelines);
        stores = ordered(stores);
    }

    /**
     * Warnings about permitted ports without authentication or TLS, reachable from other machines; one sentence each.
     */
    public List<String> openPorts() {
        return OpenPort.of(this).stream().map(OpenPort::warning).toList();
    }

    /** Warnings about a valid configuration: open ports, and a node that would drop every point; one sentence each. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>(openPorts());
        boolean takesPoints = node.role().nodes().contains(NodeConfig.Role.QUEUE) && !inputs.isEmpty();
        if (takesPoints && pipelines.isEmpty()) {
            warnings.add(
                    "No pipeline is configured: the node accepts data points and drops every one of them as filtered."
                            + " Add a pipeline under pipelines.");
        }
        return warnings;
    }

    /** Listen addresses of the node. */
    public List<Listening> listeners() {
        return OpenPort.listeners(this);
    }

    /**
     * Returns the number of lanes of the node's processor in this JVM. A store of type archive has a single writer, so
     * the processor of such a store has one lane.
     */
    public int processorLanes() {
        return hasArchive() ? 1 : processor.lanesIn(JvmLimits.ofThisJvm());
    }

    /** Returns the number of lanes of the queue node in this JVM. */
    public int queueLanes() {
        return queue.lanesIn(JvmLimits.ofThisJvm());
    }

    /** Returns whether a store of type archive is configured. */
    public boolean hasArchive() {
        return stores.values().stream().anyMatch(store -> store.type().equals(StoreConfig.ARCHIVE));
    }

    private static <V> Map<String, V> ordered(Map<String, V> map) {
        return Collections.unmodifiableMap(new TreeMap<>(map));
    }

    /**
     * Computes the digest of all settings with an effect on the content of cycles and their rows. Members of one
     * cluster must have the same digest; addresses, limits and directories may differ.
     *
     * @return SHA-256 in hex
     */
    public String digest() {
        return ConfigDigest.of(this);
    }
}
