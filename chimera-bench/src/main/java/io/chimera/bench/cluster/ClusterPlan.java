package io.chimera.bench.cluster;

/**
 * Setup of a cluster. Texts are settings in the syntax of the configuration file, without the surrounding braces.
 *
 * @param isShared whether the coordinator shares the process of the first queue node
 * @param queueNodes number of queue nodes
 * @param processors number of processors
 * @param copies number of journals that hold a point before the acknowledgement
 * @param cycleEvery cycle period
 * @param cyclePoints approximate number of points that ends a cycle before its period
 * @param sync sync policy of the journal
 * @param pipeline settings of the only pipeline, without its store
 * @param store settings of the only store
 * @param weight weight of each processor
 * @param memory memory of the nodes
 * @param layout journal groups and lanes
 */
public record ClusterPlan(
        boolean isShared,
        int queueNodes,
        int processors,
        int copies,
        String cycleEvery,
        long cyclePoints,
        String sync,
        String pipeline,
        String store,
        String weight,
        NodeMemory memory,
        ClusterLayout layout) {
    /** Points of the largest cycle in most measurements: a window of the peers has a million points, too. */
    public static final long CYCLE_POINTS = 1_000_000;

    /** Creates a plan with a single journal group, and nodes of one lane. */
    public ClusterPlan(
            boolean isShared,
            int queueNodes,
            int processors,
            int copies,
            String cycleEvery,
            long cyclePoints,
            String sync,
            String pipeline,
            String store,
            String weight,
            NodeMemory memory) {
        this(
                isShared,
                queueNodes,
                processors,
                copies,
                cycleEvery,
                cyclePoints,
                sync,
                pipeline,
                store,
                weight,
                memory,
                ClusterLayout.PLAIN);
    }

    /**
     * Returns a cluster that counts and drops its rows, with one journal per point and cycles of one second; a cycle is
     * committed when its rows are written.
     */
    public static ClusterPlan forgetting(int queueNodes, int processors) {
        return new ClusterPlan(
                false,
                queueNodes,
                processors,
                1,
                "1s",
                CYCLE_POINTS,
                "interval",
                "delivery: at_least_once",
                "type: forgetting",
                "1",
                NodeMemory.SMALL);
    }

    /** Returns a cluster as {@link #forgetting}, whose rows are counted and read back before their cycle is committed. */
    public static ClusterPlan counting(int queueNodes, int processors) {
        ClusterPlan plan = forgetting(queueNodes, processors);
        return new ClusterPlan(
                plan.isShared,
                queueNodes,
                processors,
                plan.copies,
                plan.cycleEvery,
                plan.cyclePoints,
                plan.sync,
                "delivery: exactly_once",
                "type: counting",
                plan.weight,
                plan.memory);
    }

    /** Returns the plan with another sync policy. */
    public ClusterPlan syncing(String other) {
        return new ClusterPlan(
                isShared,
                queueNodes,
                processors,
                copies,
                cycleEvery,
                cyclePoints,
                other,
                pipeline,
                store,
                weight,
                memory,
                layout);
    }

    /** Returns the plan with other cycles: their period, and the number of points that ends a cycle early. */
    public ClusterPlan cycling(String every, long points) {
        return new ClusterPlan(
                isShared, queueNodes, processors, copies, every, points, sync, pipeline, store, weight, memory, layout);
    }

    /** Returns the plan with other pipeline settings. */
    public ClusterPlan aggregating(String other) {
        return new ClusterPlan(
                isShared,
                queueNodes,
                processors,
                copies,
                cycleEvery,
                cyclePoints,
                sync,
                other,
                store,
                weight,
                memory,
                layout);
    }

    /** Returns the plan with another weight of each processor. */
    public ClusterPlan weighing(String other) {
        return new ClusterPlan(
                isShared,
                queueNodes,
                processors,
                copies,
                cycleEvery,
                cyclePoints,
                sync,
                pipeline,
                store,
                other,
                memory,
                layout);
    }

    /** Returns the plan with other memory. */
    public ClusterPlan with(NodeMemory other) {
        return new ClusterPlan(
                isShared,
                queueNodes,
                processors,
                copies,
                cycleEvery,
                cyclePoints,
                sync,
                pipeline,
                store,
                weight,
                other,
                layout);
    }

    /** Returns the plan with other journal groups and lanes. */
    public ClusterPlan laidOut(ClusterLayout other) {
        return new ClusterPlan(
                isShared,
                queueNodes,
                processors,
                copies,
                cycleEvery,
                cyclePoints,
                sync,
                pipeline,
                store,
                weight,
                memory,
                other);
    }

    /**
     * Returns the configuration file of all nodes.
     *
     * @param zooKeeper host:port of the embedded ZooKeeper
     * @param input input of the queue nodes
     */
    String configuration(String zooKeeper, ClusterInput input) {
        return """
            # nobody fails here, so a machine that is busy with other things shall not look like it
            coordinator:
              { connect: "%s", cluster: %s, session_timeout: 30s, embedded: { run: always, address: "%s" } }
            cycle: { every: %s, max_points: %d }
            queue: { acks: %d, lanes: %d, ring_slots: %d, journal: { sync: %s } }
            processor: { lanes: %d, ring_slots: %d, weight: %s }
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
                        cyclePoints,
                        copies,
                        layout.queueLanes(),
                        memory.queueSlots(),
                        sync,
                        layout.processorLanes(),
                        memory.processorSlots(),
                        weight,
                        input.configuration(),
                        pipeline,
                        store);
    }
}
