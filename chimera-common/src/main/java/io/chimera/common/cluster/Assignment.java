package io.chimera.common.cluster;

import java.util.List;

/**
 * Who works on a cycle. Names sessions, not nodes: a node that comes back is another one.
 *
 * @param version 0 at the begin of the cycle, one more with every reassignment
 * @param owners session of the queue node that sends each part
 * @param processors session of the processor that takes each shard
 */
public record Assignment(int version, List<Long> owners, List<Long> processors) {
    /** Takes unmodifiable copies. */
    public Assignment {
        owners = List.copyOf(owners);
        processors = List.copyOf(processors);
    }
}
