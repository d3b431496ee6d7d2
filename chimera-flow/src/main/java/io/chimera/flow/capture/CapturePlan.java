package io.chimera.flow.capture;

import io.chimera.common.config.CaptureConfig;
import io.chimera.common.config.FlowConfig;
import io.chimera.common.config.pipeline.BlockConfig.Edge;

/**
 * Settings of a capture, and assembly of its operators.
 *
 * @param config settings of the packet source and of the flow table
 * @param flow conversion of flows to points
 * @param seed seed of the flow hash
 * @param edges connection of the operators: by calls on one thread, or by queues between one thread each
 * @param isPooled whether batches go back from the sink to the source; otherwise each batch is allocated and freed
 */
public record CapturePlan(CaptureConfig config, FlowConfig flow, long seed, Edge edges, boolean isPooled) {
    /** Creates the plan of a configured input, with the fastest assembly. */
    public static CapturePlan of(CaptureConfig config, FlowConfig flow, long seed) {
        return new CapturePlan(config, flow, seed, Edge.DIRECT, true);
    }
}
