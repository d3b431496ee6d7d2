package io.chimera.faults.sim;

import io.chimera.common.channel.MemoryTransport;
import io.chimera.common.cluster.MemoryCluster;
import java.util.List;
import java.util.Optional;
import org.agrona.concurrent.Agent;

/** A running process: what drives it, what connects it, whether it stands still. */
final class SimProcess {
    /** What a process is. */
    enum Role {
        QUEUE,
        PROCESSOR,
        COORDINATOR
    }

    /** How a node is asked to leave. */
    interface Node {
        /** Asks it to leave. */
        void leave();

        /** What it waits for; empty when it may be closed. */
        Optional<String> awaits();

        /** Whether its disk may go with it then. */
        boolean isCopied();
    }

    /** How a process is given another configuration. */
    interface Reload {
        /** Gives it the configuration with other pipelines or, again, the one without. */
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
     * A process that runs.
     *
     * @param id the node's name
     * @param role what it is
     * @param node how it leaves; null for a coordinator
     * @param agents each is driven as one thread would
     * @param transport its channels; null for a coordinator
     * @param session its connection with ZooKeeper
     * @param clock of its machine
     * @param listeners where requests go in; null but for a queue node
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

    String id() {
        return id;
    }

    Role role() {
        return role;
    }

    Node node() {
        return node;
    }

    /** What reloads it. */
    SimProcess reloadedBy(Reload given) {
        reload = given;
        return this;
    }

    /** Reads the configuration again, unless it is dead by now. */
    void reload(boolean isOther) {
        if (!isDead) {
            reload.with(isOther);
        }
    }

    List<Agent> agents() {
        return agents;
    }

    MemoryTransport transport() {
        return transport;
    }

    SimSession session() {
        return session;
    }

    SimClock clock() {
        return clock;
    }

    SimListeners listeners() {
        return listeners;
    }

    boolean isPaused() {
        return isPaused;
    }

    void paused(boolean paused) {
        isPaused = paused;
    }

    boolean isDead() {
        return isDead;
    }

    void died() {
        isDead = true;
    }

    /** Whether the thing that something happened to is this process's. */
    boolean has(MemoryCluster.Client client) {
        return session.client() == client;
    }

    @Override
    public String toString() {
        return id;
    }
}
