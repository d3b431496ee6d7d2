package io.chimera.common.cluster;

import java.util.List;

/**
 * Who works on a cycle, and with which pipelines. Names sessions, not nodes: a node that comes back is another one.
 *
 * @param version 0 at the begin of the cycle, one more with every reassignment
 * @param digest of the pipelines that the cycle is processed with: what members announce. It changes only when no live member of a
 *     tier holds it any more. Empty where nobody said: whoever works on the cycle has one only
 * @param owners session of the queue node that sends each part
 * @param processors session of the processor that takes each shard
 */
public record Assignment(int version, String digest, List<Long> owners, List<Long> processors) {
    /** Takes unmodifiable copies. */
    public Assignment {
        owners = List.copyOf(owners);
        processors = List.copyOf(processors);
    }

    /** An assignment that does not say with which pipelines. */
    public Assignment(int version, List<Long> owners, List<Long> processors) {
        this(version, "", owners, processors);
    }

    /** Whether the cycle is processed with the pipelines of a digest; with any where nobody said. */
    public boolean isFor(String pipelines) {
        return digest.isEmpty() || digest.equals(pipelines);
    }
}
