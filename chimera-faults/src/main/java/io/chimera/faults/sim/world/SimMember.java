package io.chimera.faults.sim.world;

import io.chimera.common.cluster.ClusterView;
import io.chimera.testkit.channel.MemoryTransport;
import io.chimera.testkit.cluster.MemoryCluster;
import java.util.List;
import java.util.Optional;
import org.agrona.concurrent.Agent;

/**
 * A lane of a running process: a member of the cluster with its agents and connections. A process without lanes has one
 * member.
 *
 * @param id id of the member
 * @param node drain operations; null for a coordinator
 * @param agents each driven like a thread
 * @param transport its channels; null for a coordinator
 * @param client its view of ZooKeeper, over the session of the process
 * @param listeners entry of requests; null except for a queue node
 * @param reload changes the configuration
 */
public record SimMember(
        String id,
        Node node,
        List<Agent> agents,
        MemoryTransport transport,
        MemoryCluster.Client client,
        SimListeners listeners,
        Reload reload) {
    /** Drain operations of a node. */
    public interface Node {
        /** Returns whether the cluster shows this start of the node. */
        boolean hasJoined();

        /** Returns the view that the node acts on, which may be older than the view of its session. */
        ClusterView view();

        /** Returns whether the cluster refuses the journal of this start of the node. */
        boolean isJournalRefused();

        /** Asks the node to leave. */
        void leave();

        /** Returns the reason why the drain has not finished; empty once the node may stop. */
        Optional<String> awaits();

        /** Returns whether the disk may be removed with the node. */
        boolean isRemovable();
    }

    /** Changes the configuration of a process. */
    interface Reload {
        /** Loads the alternative configuration, or the original configuration again. */
        void with(boolean isOther);
    }
}
