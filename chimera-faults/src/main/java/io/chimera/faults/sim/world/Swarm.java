package io.chimera.faults.sim.world;

import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.queue.journal.SyncPolicy;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Parameters of a seed's cluster and its faults. Every seed has faults of only a few kinds, because many rare faults
 * together would hide each other's effects.
 *
 * @param queues queue nodes at the start
 * @param processors processors at the start
 * @param coordinators coordinators
 * @param copies journals with a point before its sender gets a success answer
 * @param delivery of the pipelines
 * @param sync of the journals
 * @param syncEveryMs of the journals
 * @param warehouse of the processors
 * @param cycleMs time between cycles
 * @param pointsMax points per cycle
 * @param batchRowsMax rows per batch of the store
 * @param stragglerMs time after which work of a lagging node is reassigned
 * @param sessionMs session timeout of ZooKeeper
 * @param requests sent during the faults
 * @param pointsPerRequestMax maximum points of a request
 * @param loadMs duration of requests and faults
 * @param eventNsMax maximum time of an event
 * @param networkWeight frequency of network events relative to an agent
 * @param clusterWeight frequency of ZooKeeper events relative to an agent
 * @param windowMs of the block with state
 * @param faults number of faults by kind
 */
public record Swarm(
        int queues,
        int processors,
        int coordinators,
        ReplicationPolicy copies,
        PipelineConfig.Delivery delivery,
        SyncPolicy sync,
        long syncEveryMs,
        ProcessorConfig.Warehouse warehouse,
        long cycleMs,
        long pointsMax,
        int batchRowsMax,
        long stragglerMs,
        long sessionMs,
        int requests,
        int pointsPerRequestMax,
        long loadMs,
        int eventNsMax,
        int networkWeight,
        int clusterWeight,
        long windowMs,
        Map<SimFaultKind, Integer> faults) {

    /** Draws a swarm. */
    public static Swarm draw(SplittableRandom random) {
        int queues = 2 + random.nextInt(2);
        SyncPolicy sync = List.of(SyncPolicy.values()).get(random.nextInt(3));
        return new Swarm(
                queues,
                2 + random.nextInt(2),
                1 + random.nextInt(2),
                copies(random, queues),
                random.nextInt(3) == 0 ? PipelineConfig.Delivery.EXACTLY_ONCE : PipelineConfig.Delivery.AT_LEAST_ONCE,
                sync,
                5L + random.nextInt(100),
                random.nextInt(4) == 0 ? ProcessorConfig.Warehouse.OFF_HEAP : ProcessorConfig.Warehouse.ON_HEAP,
                300L + random.nextInt(1_200),
                random.nextBoolean() ? 20L + random.nextInt(100) : 1_000_000,
                random.nextBoolean() ? 7 : 10_000,
                1_000L + random.nextInt(10_000),
                1_000L + random.nextInt(3_000),
                10 + random.nextInt(40),
                1 + random.nextInt(30),
                4_000L + random.nextInt(10_000),
                20_000 + random.nextInt(200_000),
                1 + random.nextInt(4),
                1 + random.nextInt(3),
                1_000L + random.nextInt(5_000),
                faults(random));
    }

    private static ReplicationPolicy copies(SplittableRandom random, int queues) {
        int wanted = random.nextInt(4) == 0 ? 1 + random.nextInt(queues) : 2;
        return new ReplicationPolicy(wanted, random.nextInt(8) == 0 ? 1 : wanted);
    }

    private static Map<SimFaultKind, Integer> faults(SplittableRandom random) {
        Map<SimFaultKind, Integer> faults = new EnumMap<>(SimFaultKind.class);
        List<SimFaultKind> kinds = new ArrayList<>(List.of(SimFaultKind.values()));
        for (int i = random.nextInt(8); i > 0; i--) {
            faults.put(kinds.remove(random.nextInt(kinds.size())), 1 + random.nextInt(4));
        }
        return faults;
    }
}
