package io.chimera.faults.chaos.fault;

import io.chimera.faults.chaos.cluster.ChaosCluster;
import io.chimera.faults.chaos.cluster.Role;
import io.chimera.faults.chaos.intruder.Intruder;
import io.chimera.faults.chaos.machine.Network;
import io.chimera.faults.chaos.machine.Network.Direction;
import java.time.Duration;
import java.util.List;

/** Injects faults into the cluster, and undoes faults. One thread. */
public final class Injector {
    /** Start of a flush after the begin of a cycle: 0 to 40 ms, different for successive faults. */
    private static final long FLUSH_FIRST_MS = 0;

    private static final int FLUSH_STEPS = 5;
    private static final long FLUSH_STEP_MS = 10;

    /** Longer than a flush, shorter than a session timeout. */
    private static final long FLUSH_MS = 300;

    private final ChaosCluster cluster;
    private final Network network;
    private final Intruder intruder;
    private final GroupOutage outage;
    private final long cycleMs;
    private final ClusterRecovery recovery;

    /** Ends a fault. */
    @FunctionalInterface
    public interface Undo {
        /** Ends the fault, without waiting for the recovery. */
        void undo() throws InterruptedException;
    }

    /**
     * Creates an injector.
     *
     * @param cycle period of cycles
     */
    public Injector(ChaosCluster cluster, Network network, Intruder intruder, GroupOutage outage, Duration cycle) {
        this.cluster = cluster;
        this.network = network;
        this.intruder = intruder;
        this.outage = outage;
        cycleMs = cycle.toMillis();
        recovery = new ClusterRecovery(cluster);
    }

    /** Injects a fault. */
    public Undo inject(Fault fault) throws InterruptedException {
        String victim = fault.victim();
        return switch (fault.kind()) {
            case QUEUE_KILL, PROCESSOR_KILL, COORDINATOR_KILL -> kill(List.of(victim));
            case QUEUE_PAUSE, PROCESSOR_PAUSE, COORDINATOR_PAUSE -> pause(victim);
            case PARTITION_ONE_WAY -> cut(victim, Direction.OUT, List.of(fault.peer()));
            case PARTITION_TWO_WAY -> cut(victim, Direction.BOTH, List.of(fault.peer()));
            case PARTITION_FROM_ZOOKEEPER -> cut(victim, Direction.BOTH, cluster.zooKeepers());
            case LINK_DOWN -> unplug(victim);
            case ZOOKEEPER_LEADER_KILL -> kill(List.of(cluster.zooKeeperLeader()));
            case ZOOKEEPER_QUORUM_LOSS -> kill(cluster.hosts(Role.ZOOKEEPER).subList(0, 2));
            case ZOOKEEPER_DATA_LOST -> loseZooKeeper();
            case STORE_KILL -> kill(cluster.hosts(Role.STORE));
            case ARCHIVE_FLUSH_KILL -> killInFlush(fault);
            case ARCHIVE_DEVICE_FAILS -> failArchive(victim);
            case DISK_FULL -> fillDisk();
            case DISK_LOST -> loseDisk(victim);
            case CLOCK_STEP -> stepClock(victim, fault.stepSeconds());
            case INTRUDER -> intrude();
            case GROUP_KILL -> outage.kill(victim);
            case GROUP_KILL_BETWEEN_CYCLES -> outage.killBetweenCycles(victim);
        };
    }

    private Undo kill(List<String> hosts) throws InterruptedException {
        for (String host : hosts) {
            cluster.process(host).kill();
        }
        return () -> hosts.forEach(cluster::start);
    }

    /**
     * Erases ZooKeeper's data. On undo, an operator waits for the readiness that names the recovery command, checks the
     * plan, and writes the plan.
     */
    private Undo loseZooKeeper() throws InterruptedException {
        List<String> servers = cluster.zooKeepers();
        for (String host : servers) {
            cluster.process(host).kill();
        }
        return () -> {
            servers.forEach(cluster::emptyZooKeeper);
            servers.forEach(cluster::start);
            recovery.run();
        };
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

    /**
     * Kills a processor between flush and commit. Cycles begin at multiples of their period and are flushed some
     * milliseconds later. The ZooKeeper leader is frozen during the flush, so no commit succeeds, and the processor
     * dies before its commit.
     */
    private Undo killInFlush(Fault fault) throws InterruptedException {
        String leader = cluster.zooKeeperLeader();
        long offsetMs = FLUSH_FIRST_MS + fault.number() % FLUSH_STEPS * FLUSH_STEP_MS;
        Thread.sleep(2 * cycleMs - System.currentTimeMillis() % cycleMs + offsetMs);
        cluster.process(leader).pause();
        Thread.sleep(FLUSH_MS);
        Undo startAgain = kill(List.of(fault.victim()));
        cluster.process(leader).resume();
        return startAgain;
    }

    /** Fails the archive's device. After a failure the archive refuses writes until the processor restarts. */
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

    private Undo intrude() {
        intruder.begin(cluster.targets());
        return intruder::close;
    }

    private Undo stepClock(String host, int seconds) {
        cluster.clock(host).orElseThrow().step(seconds);
        return () -> cluster.clock(host).orElseThrow().step(0);
    }
}
