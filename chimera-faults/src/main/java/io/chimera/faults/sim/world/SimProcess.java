package io.chimera.faults.sim.world;

import io.chimera.testkit.channel.MemoryTransport;
import io.chimera.testkit.cluster.MemoryCluster;
import java.util.List;
import java.util.Optional;
import org.agrona.concurrent.Agent;

/** A running process with its agents, connections and state. */
public final class SimProcess {
    public enum Role {
        QUEUE,
        PROCESSOR,
        COORDINATOR
    }

    /** Drain operations of a node. */
    public interface Node {
        /** Asks the node to leave. */
        void leave();

        /** Returns the reason why the drain has not finished; empty once the node may stop. */
        Optional<String> awaits();

        /** Returns whether the disk may be removed with the node. */
        boolean isCopied();
    }

    /** Changes the configuration of a process. */
    interface Reload {
        /** Loads the alternative configuration, or the original configuration again. */
        void with(boolean isOther);
    }

    private final String id;
    private final Role role;
    private final Node node;
    private final List<Agent> agents;
    private final MemoryTransport transport;
    private final SimSession session;
    private final SimClock clock;
    private final SimListeners listeners;
    private Reload reload = isOther -> {};
    private boolean isPaused;
    private boolean isDead;

    /**
     * Creates a running process.
     *
     * @param id the node's name
     * @param role role of the process
     * @param node drain operations; null for a coordinator
     * @param agents each driven like a thread
     * @param transport its channels; null for a coordinator
     * @param session its connection with ZooKeeper
     * @param clock of its machine
     * @param listeners entry of requests; null except for a queue node
     */
    SimProcess(
            String id,
            Role role,
            Node node,
            List<Agent> agents,
            MemoryTransport transport,
            SimSession session,
            SimClock clock,
            SimListeners listeners) {
        this.id = id;
        this.role = role;
        this.node = node;
        this.agents = agents;
        this.transport = transport;
        this.session = session;
        this.clock = clock;
        this.listeners = listeners;
    }

    public String id() {
        return id;
    }

    public Role role() {
        return role;
    }

    public Node node() {
        return node;
    }

    SimProcess reloadedBy(Reload given) {
        reload = given;
        return this;
    }

    /** Loads a configuration, unless the process is dead. */
    void reload(boolean isOther) {
        if (!isDead) {
            reload.with(isOther);
        }
    }

    public List<Agent> agents() {
        return agents;
    }

    public MemoryTransport transport() {
        return transport;
    }

    public SimSession session() {
        return session;
    }

    public SimClock clock() {
        return clock;
    }

    public SimListeners listeners() {
        return listeners;
    }

    public boolean isPaused() {
        return isPaused;
    }

    public void paused(boolean paused) {
        isPaused = paused;
    }

    public boolean isDead() {
        return isDead;
    }

    void died() {
        isDead = true;
    }

    /** Returns whether a ZooKeeper client belongs to this process. */
    boolean has(MemoryCluster.Client client) {
        return session.client() == client;
    }

    @Override
    public String toString() {
        return id;
    }
}
