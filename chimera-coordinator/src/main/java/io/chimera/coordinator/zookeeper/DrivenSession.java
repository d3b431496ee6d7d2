package io.chimera.coordinator.zookeeper;

import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.CycleStore;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import org.agrona.concurrent.Agent;
import org.apache.curator.framework.state.ConnectionState;

/**
 * A process's part in the cluster without connections and threads of its own: the caller supplies the client and runs
 * the agent. For simulations of many processes on one thread.
 */
public final class DrivenSession {
    private final SessionAgent agent;
    private final Counters<ClusterCounter> counters;
    private final Committer committer;

    /** Creates a session; {@link #connect} opens its first link. */
    public DrivenSession(
            ZooKeeperSettings settings, Clock clock, Counters<ClusterCounter> counters, TreeClient client) {
        this.counters = counters;
        agent = new SessionAgent(settings, new Access(settings), clock, counters, () -> client, found -> {});
        committer = new Committer(agent, counters);
        agent.add(committer);
    }

    /** Opens a link over the client. */
    public void connect() {
        agent.onState(ConnectionState.CONNECTED);
    }

    /** Returns the agent to run. */
    public Agent agent() {
        return agent;
    }

    /** Returns the time after which the idle agent wants to run again. */
    public long nextSleepNs() {
        return agent.wakeup().nextSleepNs();
    }

    /** Returns the newest view. */
    public ClusterView view() {
        return agent.view();
    }

    /** Opens an access to the cluster for a node or lane. */
    public Cluster openCluster() {
        return new ZooKeeperCluster(agent, committer, counters);
    }

    /** Returns the access to the cluster as its only coordinator. */
    public CycleStore conductorship(String id) {
        Election election = new Election(new Candidacy.Sole(), id);
        agent.add(election);
        agent.seeAll();
        return new ZooKeeperConductorship(agent, election);
    }
}
