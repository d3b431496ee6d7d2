package io.chimera.processor;

import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.LaneCount;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.List;

/** Division of a processor's limits among its lanes; the lanes together stay within the limits of the processor. */
public final class LaneLimits {
    private LaneLimits() {}

    /**
     * Returns the address and the limits of a lane. A single lane has the values of the processor.
     *
     * @param lanes number of lanes
     * @param lane number of the lane, from 0
     * @throws ChimeraException when the memory of this JVM is insufficient
     */
    public static ProcessorConfig of(ProcessorConfig processor, int lanes, int lane) {
        return lanes == 1 ? processor : of(processor, MemoryRoom.ofThisJvm().stagingBytes(processor), lanes, lane);
    }

    /** Divides limits with the given memory for staging. */
    static ProcessorConfig of(ProcessorConfig processor, long stagingBytes, int lanes, int lane) {
        long bytes = stagingBytes / lanes;
        if (bytes < ProcessorConfig.BYTES_MIN.bytes()) {
            throw new ChimeraException(
                    Category.FATAL,
                    "The memory for staging is " + (stagingBytes >> 20) + "MiB, too little for " + lanes
                            + " lanes, which need " + ProcessorConfig.BYTES_MIN + " each. Set processor.lanes: "
                            + Math.max(1, stagingBytes / ProcessorConfig.BYTES_MIN.bytes())
                            + ", or start the node with more memory.");
        }
        return new ProcessorConfig(
                processor.address(lane),
                new LaneCount(1),
                List.of(), // the launcher has bound the lane
                processor.weight(),
                processor.warehouse(),
                processor.maxGroups() / lanes,
                new ByteSize(bytes),
                Integer.highestOneBit(processor.ringSlots() / lanes));
    }
}
