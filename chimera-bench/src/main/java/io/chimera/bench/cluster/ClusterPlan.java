package io.chimera.bench.cluster;

import java.util.Map;

/**
 * Setup of a cluster. Texts are settings in the syntax of the configuration file, without the surrounding braces.
 *
 * @param layout nodes, journal groups and lanes
 * @param copies number of journals that hold a point before the acknowledgement
 * @param cycles ends of cycles
 * @param sync sync policy of the journal
 * @param pipeline settings of the only pipeline, without its store
 * @param store settings of the only store
 * @param weight weight of each processor
 * @param memory memory of the nodes
 * @param settings further settings of all nodes, by key
 */
public record ClusterPlan(
        ClusterLayout layout,
        int copies,
        Cycles cycles,
        String sync,
        String pipeline,
        String store,
        String weight,
        NodeMemory memory,
        Map<String, String> settings) {
    /** Copies the map. */
    public ClusterPlan {
        settings = Map.copyOf(settings);
    }

    /**
     * Ends of cycles.
     *
     * @param every period
     * @param points approximate number of points that ends a cycle before its period
     */
    public record Cycles(String every, long points) {
        /** Points of the largest cycle in most measurements: a window of the peers has a million points, too. */
        private static final long POINTS = 1_000_000;

        /** Returns cycles of a period with up to a million points. */
        public static Cycles every(String period) {
            return new Cycles(period, POINTS);
        }
    }

    /**
     * Returns a cluster that counts and drops its rows, with one journal per point and cycles of one second; a cycle is
     * committed when its rows are written.
     */
    public static ClusterPlan forgetting(ClusterLayout layout) {
        return new ClusterPlan(
                layout,
                1,
                Cycles.every("1s"),
                "interval",
                "delivery: at_least_once",
                "type: forgetting",
                "1",
                NodeMemory.SMALL,
                Map.of());
    }

    /** Returns such a cluster with one journal group, and nodes of one lane. */
    public static ClusterPlan forgetting(int queueNodes, int processors) {
        return forgetting(ClusterLayout.of(queueNodes, processors));
    }

    /** Returns such a cluster whose rows are counted and read back before their cycle is committed. */
    public static ClusterPlan counting(ClusterLayout layout) {
        return forgetting(layout).aggregating("delivery: exactly_once").storing("type: counting");
    }

    /** Returns the plan with another number of journals per point. */
    public ClusterPlan copying(int other) {
        return new ClusterPlan(layout, other, cycles, sync, pipeline, store, weight, memory, settings);
    }

    /** Returns the plan with other ends of cycles. */
    public ClusterPlan cycling(Cycles other) {
        return new ClusterPlan(layout, copies, other, sync, pipeline, store, weight, memory, settings);
    }

    /** Returns the plan with another sync policy. */
    public ClusterPlan syncing(String other) {
        return new ClusterPlan(layout, copies, cycles, other, pipeline, store, weight, memory, settings);
    }

    /** Returns the plan with other pipeline settings. */
    public ClusterPlan aggregating(String other) {
        return new ClusterPlan(layout, copies, cycles, sync, other, store, weight, memory, settings);
    }

    /** Returns the plan with other settings of the store. */
    public ClusterPlan storing(String other) {
        return new ClusterPlan(layout, copies, cycles, sync, pipeline, other, weight, memory, settings);
    }

    /** Returns the plan with another weight of each processor. */
    public ClusterPlan weighing(String other) {
        return new ClusterPlan(layout, copies, cycles, sync, pipeline, store, other, memory, settings);
    }

    /** Returns the plan with other memory. */
    public ClusterPlan with(NodeMemory other) {
        return new ClusterPlan(layout, copies, cycles, sync, pipeline, store, weight, other, settings);
    }

    /** Returns the plan with further settings of all nodes, by key. */
    public ClusterPlan setting(Map<String, String> other) {
        return new ClusterPlan(layout, copies, cycles, sync, pipeline, store, weight, memory, other);
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
                        cycles.every(),
                        cycles.points(),
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
