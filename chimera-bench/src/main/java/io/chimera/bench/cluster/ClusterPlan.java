package io.chimera.bench.cluster;

/**
 * How a cluster is set up. Texts are settings as the configuration file writes them, without the braces around them.
 *
 * @param isShared whether the coordinator is in the process of the first queue node, or in one of its own
 * @param queueNodes number of queue nodes
 * @param processors number of processors
 * @param copies journals that hold a point before it is acknowledged
 * @param cycleEvery time between cycles
 * @param sync when a journal counts a point as safe
 * @param pipeline settings of the only pipeline, beside its store
 * @param store settings of the only store
 * @param memory of the nodes
 */
public record ClusterPlan(
        boolean isShared,
        int queueNodes,
        int processors,
        int copies,
        String cycleEvery,
        String sync,
        String pipeline,
        String store,
        NodeMemory memory) {
    /**
     * A cluster whose rows are counted and forgotten, with one journal per point and cycles of a second; a cycle counts
     * when its rows were written.
     */
    public static ClusterPlan forgetting(int queueNodes, int processors) {
        return new ClusterPlan(
                false,
                queueNodes,
                processors,
                1,
                "1s",
                "interval",
                "delivery: at_least_once",
                "type: forgetting",
                NodeMemory.SMALL);
    }

    /** The same with another moment at which points are safe. */
    public ClusterPlan syncing(String other) {
        return new ClusterPlan(isShared, queueNodes, processors, copies, cycleEvery, other, pipeline, store, memory);
    }

    /** The same with other settings of the pipeline. */
    public ClusterPlan aggregating(String other) {
        return new ClusterPlan(isShared, queueNodes, processors, copies, cycleEvery, sync, other, store, memory);
    }

    /** The same with other memory. */
    public ClusterPlan with(NodeMemory other) {
        return new ClusterPlan(isShared, queueNodes, processors, copies, cycleEvery, sync, pipeline, store, other);
    }

    /**
     * The configuration of all nodes.
     *
     * @param zooKeeper host:port of the coordinator's embedded server
     * @param input how points come
     */
    String configuration(String zooKeeper, ClusterInput input) {
        return """
                # nobody fails here, so a machine that is busy with other things shall not look like it
                coordinator:
                  { connect: "%s", cluster: %s, session_timeout: 30s, embedded: { run: always, address: "%s" } }
                # a window of the peers has a million points, too
                cycle: { every: %s, max_points: 1_000_000 }
                queue: { acks: %d, ring_slots: %d, journal: { sync: %s } }
                processor: { ring_slots: %d }
                inputs:
                  %s
                pipelines:
                  all: { stores: [results], %s }
                stores:
                  results: { %s }
                """.formatted(
                        zooKeeper,
                        ClusterSecurity.CLUSTER,
                        zooKeeper,
                        cycleEvery,
                        copies,
                        memory.queueSlots(),
                        sync,
                        memory.processorSlots(),
                        input.configuration(),
                        pipeline,
                        store);
    }
}
