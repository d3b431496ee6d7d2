package io.chimera.queue;

import io.chimera.common.cluster.CyclePeriods;
import io.chimera.common.config.InputConfig;
import io.chimera.common.config.QueueConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import java.util.SortedMap;

/**
 * Configuration of a queue node at its start.
 *
 * @param queue addresses and limits
 * @param cycleEvery bounds of the time from one cycle to the next
 * @param inputs inputs by name
 * @param pipelines pipelines by name
 * @param lane number of the lane, from 0; lane 0 alone runs the inputs without a listener
 */
public record QueueSettings(
        QueueConfig queue,
        CyclePeriods cycleEvery,
        SortedMap<String, InputConfig> inputs,
        SortedMap<String, PipelineConfig> pipelines,
        int lane) {
    /** Creates the configuration of a node with one lane. */
    public QueueSettings(
            QueueConfig queue,
            CyclePeriods cycleEvery,
            SortedMap<String, InputConfig> inputs,
            SortedMap<String, PipelineConfig> pipelines) {
        this(queue, cycleEvery, inputs, pipelines, 0);
    }
}
