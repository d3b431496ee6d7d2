package io.chimera.faults.sim;

import io.chimera.common.channel.MemoryTransport;
import io.chimera.common.cluster.MemoryCluster;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.agrona.concurrent.Agent;

/** A running process: what drives it, what connects it, whether it stands still. */
final class SimProcess {
    /** What a process is. */
    enum Role {
        QUEUE,
        PROCESSOR,
        COORDINATOR
    }

    private final String id;
    private final Role role;
    private final List<Agent> agents;
    private final MemoryTransport transport;
    private final SimSession session;
    private final SimClock clock;
    private final SimListeners listeners;
    private final Runnable leaving;
    private final Supplier<Optional<String>> awaited;
    private boolean isPaused;
    private boolean isDead;

    /**
     * A process that runs.
     *
     * @param id the node's name
     * @param role what it is
     * @param agents each is driven as one thread would
     * @param transport its channels; null for a coordinator
     * @param session its connection with ZooKeeper
     * @param clock of its machine
     * @param listeners where requests go in; null but for a queue node
     * @param leaving asks it to leave in order
     * @param awaited what it waits for before it may be closed
     */
    SimProcess(
            String id,
            Role role,
            List<Agent> agents,
            MemoryTransport transport,
            SimSession session,
            SimClock clock,
            SimListeners listeners,
            Runnable leaving,
            Supplier<Optional<String>> awaited) {
        this.id = id;
        this.role = role;
        this.agents = agents;
        this.transport = transport;
        this.session = session;
        this.clock = clock;
        this.listeners = listeners;
        this.leaving = leaving;
        this.awaited = awaited;
    }

    String id() {
        return id;
    }

    Role role() {
        return role;
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

    void leave() {
        leaving.run();
    }

    /** What it waits for since it was asked to leave; empty when it may be closed. */
    Optional<String> awaits() {
        return awaited.get();
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
