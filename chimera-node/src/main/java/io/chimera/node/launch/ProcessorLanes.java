package io.chimera.node.launch;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.plugin.PluginHost;
import io.chimera.processor.ProcessorNode;
import io.chimera.processor.ProcessorStatus;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lanes of a processor as one node: they start, drain and load configurations together. Any thread. */
final class ProcessorLanes {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessorLanes.class);

    private final LaneCores cores;
    private final List<ProcessorLane> lanes;

    /** Takes wired lanes. */
    ProcessorLanes(List<ProcessorLane> lanes, LaneCores cores) {
        this.cores = cores;
        this.lanes = List.copyOf(lanes);
    }

    /** Returns the lanes by number. */
    List<ProcessorLane> all() {
        return lanes;
    }

    /** Starts all lanes. */
    void start() {
        for (ProcessorLane lane : lanes) {
            Endpoint address = cores.start(lane.number(), () -> lane.node().start());
            LOG.info("Processor is listening: lane={} id={} address={}", lane.number(), lane.id(), address);
        }
    }

    /** Asks all lanes to leave. */
    void leave() {
        lanes.forEach(lane -> lane.node().leave());
    }

    /** After {@link #leave}: reason why the drain has not finished; empty once all lanes may stop. */
    Optional<String> awaits() {
        List<String> all = collect(node -> node.awaits().stream());
        return all.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", all));
    }

    /** Loads the pipelines of a further configuration on all lanes, then announces the configuration on all lanes. */
    void hold(ConfigurationDigest digest, SortedMap<String, PipelineConfig> pipelines, PluginHost plugins) {
        lanes.forEach(lane -> lane.node().load(digest, pipelines, plugins));
        lanes.forEach(lane -> lane.node().announce(digest));
    }

    /** Returns the plugin hosts of the held pipelines of all lanes. */
    Set<PluginHost> plugins() {
        return lanes.stream().flatMap(lane -> lane.node().plugins().stream()).collect(Collectors.toSet());
    }

    /** Returns the reasons why a lane is not ready. */
    List<String> notReady() {
        return collect(node -> {
            ProcessorStatus status = node.status();
            return Stream.concat(status.notReady().stream(), status.storeOutage().stream());
        });
    }

    /** Returns the warnings of all lanes. */
    List<String> warnings() {
        return collect(node -> node.letters().warnings().stream());
    }

    private List<String> collect(Function<ProcessorNode, Stream<String>> sentences) {
        return LaneNames.merge(lanes.stream()
                .map(lane -> sentences.apply(lane.node()).toList())
                .toList());
    }
}
