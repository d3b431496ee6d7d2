package io.chimera.faults.sim.fault;

import io.chimera.faults.sim.world.SimCluster;
import io.chimera.faults.sim.world.SimProcess;
import io.chimera.faults.sim.world.Swarm;
import io.chimera.testkit.cluster.MemoryCluster;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Faults of ZooKeeper and of the nodes' sessions, without loss of its data. */
final class ZooKeeperFaults {
    private final ActiveFaults active;
    private final Swarm swarm;
    private final SimCluster cluster;
    private final SplittableRandom random;

    ZooKeeperFaults(ActiveFaults active, Swarm swarm, SimCluster cluster, SplittableRandom random) {
        this.active = active;
        this.swarm = swarm;
        this.cluster = cluster;
        this.random = random;
    }

    boolean cut() {
        SimProcess process = active.any(null);
        if (process == null) {
            return false;
        }
        active.note(process, "cut off from ZooKeeper");
        process.session().obstruct(!process.isPaused(), true);
        active.lasting(50 + random.nextLong(3 * swarm.sessionMs()), process.session()::clear);
        return true;
    }

    boolean outage() {
        active.noteOutside("ZooKeeper is gone");
        List<SimProcess> all = List.copyOf(cluster.processes());
        all.forEach(process -> process.session().obstruct(!process.isPaused(), false));
        active.lasting(
                50 + random.nextLong(3 * swarm.sessionMs()),
                () -> all.forEach(process -> process.session().clear()));
        return true;
    }

    boolean sessionExpired() {
        SimProcess process = active.any(null);
        if (process == null) {
            return false;
        }
        active.note(process, "session expired");
        process.session().expire();
        return true;
    }

    boolean onLead(Consumer<MemoryCluster.Lead> fault) {
        SimProcess process = active.any(SimProcess.Role.COORDINATOR);
        if (process == null) {
            return false;
        }
        active.note(process, "reply lost, or overtaken");
        fault.accept((MemoryCluster.Lead) process.session().client());
        return true;
    }
}
