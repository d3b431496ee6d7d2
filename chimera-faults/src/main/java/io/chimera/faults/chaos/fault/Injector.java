package io.chimera.faults.chaos.fault;

import io.chimera.faults.chaos.cluster.ChaosCluster;
import io.chimera.faults.chaos.cluster.Role;
import io.chimera.faults.chaos.machine.Network;
import io.chimera.faults.chaos.machine.Network.Direction;
import java.time.Duration;
import java.util.List;

/** Lets faults happen to the cluster, and undoes them. One thread. */
public final class Injector {
    /** A processor that writes nothing for so long has another fault to get over. */
    private static final Duration FLUSH_PATIENCE = Duration.ofSeconds(2);

    private final ChaosCluster cluster;
    private final Network network;

    /** What ends a fault. */
    @FunctionalInterface
    public interface Undo {
        /** Ends it, without waiting until all is well. */
        void undo() throws InterruptedException;
    }

    /** An injector into a cluster. */
    public Injector(ChaosCluster cluster, Network network) {
        this.cluster = cluster;
        this.network = network;
    }

    /** Lets one happen. */
    public Undo inject(Fault fault) throws InterruptedException {
        String victim = fault.victim();
        return switch (fault.kind()) {
            case QUEUE_KILL, PROCESSOR_KILL, COORDINATOR_KILL -> kill(List.of(victim));
            case QUEUE_PAUSE, PROCESSOR_PAUSE, COORDINATOR_PAUSE -> pause(victim);
            case PARTITION_ONE_WAY -> cut(victim, Direction.OUT, List.of(fault.peer()));
            case PARTITION_TWO_WAY -> cut(victim, Direction.BOTH, List.of(fault.peer()));
            case PARTITION_FROM_ZOOKEEPER -> cut(victim, Direction.BOTH, cluster.hosts(Role.ZOOKEEPER));
            case LINK_DOWN -> unplug(victim);
            case ZOOKEEPER_LEADER_KILL -> kill(List.of(cluster.zooKeeperLeader()));
            case ZOOKEEPER_QUORUM_LOSS -> kill(cluster.hosts(Role.ZOOKEEPER).subList(0, 2));
            case STORE_KILL -> kill(cluster.hosts(Role.STORE));
            case ARCHIVE_FLUSH_KILL -> killInFlush(victim);
            case ARCHIVE_DEVICE_FAILS -> failArchive(victim);
            case DISK_FULL -> fillDisk();
            case DISK_LOST -> loseDisk(victim);
            case CLOCK_STEP -> stepClock(victim, fault.stepSeconds());
        };
    }

    private Undo kill(List<String> hosts) throws InterruptedException {
        for (String host : hosts) {
            cluster.process(host).kill();
        }
        return () -> hosts.forEach(cluster::start);
    }

    private Undo pause(String host) throws InterruptedException {
        cluster.process(host).pause();
        return () -> cluster.process(host).resume();
    }

    private Undo cut(String host, Direction direction, List<String> others) throws InterruptedException {
        network.cut(host, direction, others);
        return () -> network.heal(host);
    }

    private Undo unplug(String host) throws InterruptedException {
        network.unplug(host);
        return () -> network.plug(host);
    }

    private Undo fillDisk() {
        cluster.disk().fill();
        return () -> cluster.disk().free();
    }

    /** Looking takes some milliseconds, as do flush and commit. */
    private Undo killInFlush(String host) throws InterruptedException {
        long before = cluster.archivedPoints(host);
        long deadline = System.nanoTime() + FLUSH_PATIENCE.toNanos();
        while (cluster.archivedPoints(host) == before && System.nanoTime() - deadline < 0) {
            Thread.onSpinWait();
        }
        return kill(List.of(host));
    }

    /** What failed once takes nothing more before the processor is started again. */
    private Undo failArchive(String host) {
        cluster.failingVolume().orElseThrow().fail();
        return () -> {
            cluster.failingVolume().orElseThrow().mend();
            cluster.process(host).kill();
            cluster.start(host);
        };
    }

    private Undo loseDisk(String host) throws InterruptedException {
        cluster.process(host).kill();
        return () -> {
            cluster.emptyDisk(host);
            cluster.start(host);
        };
    }

    private Undo stepClock(String host, int seconds) {
        cluster.clock(host).orElseThrow().step(seconds);
        return () -> cluster.clock(host).orElseThrow().step(0);
    }
}
