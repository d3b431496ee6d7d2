package io.chimera.testkit.channel;

import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.identity.PeerCertificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;

/**
 * Network of a simulated cluster. Carries the traffic of {@link MemoryTransport}s on the caller's thread, only during
 * {@link #step}. Nothing happens inside an offer or a connect, so calls of a handler never nest. Frames of one
 * direction of a connection arrive in order; the caller chooses between directions, so a seed determines the order. Not
 * thread-safe.
 */
public final class MemoryNetwork {
    /** One direction of a connection, or a connection attempt; the content arrives in order. */
    private record Lane(Attempt attempt, MemoryConnection target) {}

    private record Attempt(MemoryTransport from, Endpoint remote, ConnectionHandler handler) {}

    /** Direction from one node to another. */
    record Way(String from, String to) {}

    /** Selects frames to lose although their connection remains open. */
    @FunctionalInterface
    public interface Loss {
        /** Returns whether to lose this frame. */
        boolean loses(DirectBuffer frame, int offset, int length);
    }

    private final List<Lane> lanes = new ArrayList<>();
    private final Map<Endpoint, Listener> listeners = new HashMap<>();
    private final Set<Endpoint> refusing = new HashSet<>();
    private final Set<Way> blocked = new HashSet<>();
    private final Set<MemoryTransport> paused = new HashSet<>();
    private final List<Lane> ready = new ArrayList<>();
    private Tap tap = (connection, frame, offset, length) -> {};
    private Function<String, Optional<PeerCertificate>> certificates = node -> Optional.empty();
    private Loss loss = (frame, offset, length) -> false;
    private int turn;
    private int portNext = 40_000;

    record Listener(MemoryTransport owner, Supplier<ConnectionHandler> handlers) {}

    /** Creates a network without nodes. */
    public MemoryNetwork() {}

    /** Creates a transport for a node. */
    public MemoryTransport transport(String node) {
        return new MemoryTransport(this, node);
    }

    /** Performs one event on the next connection in turn; returns false if no event is possible. */
    public boolean step() {
        turn++;
        return step(count -> Math.floorMod(turn, count));
    }

    /**
     * Performs one event of the caller's choice: a connect, a frame, a return of credit, or a close.
     *
     * @param choose returns an index below its argument, the number of directions with a pending event
     * @return false if no event is pending, or all are blocked or refused by their handlers
     */
    public boolean step(IntUnaryOperator choose) {
        return stepAt(choose) != null;
    }

    /** Like {@link #step(IntUnaryOperator)}, but returns the receiving node, or null without an event. */
    public MemoryTransport stepAt(IntUnaryOperator choose) {
        ready.clear();
        for (int i = 0; i < lanes.size(); i++) {
            if (isReady(lanes.get(i))) {
                ready.add(lanes.get(i));
            }
        }
        while (!ready.isEmpty()) {
            Lane lane = ready.remove(choose.applyAsInt(ready.size()));
            if (move(lane)) {
                return lane.attempt == null ? lane.target.owner() : lane.attempt.from();
            }
        }
        return null;
    }

    private boolean isReady(Lane lane) {
        if (lane.attempt == null) {
            MemoryConnection end = lane.target;
            return end.hasArrivals()
                    && !paused.contains(end.owner())
                    && (blocked.isEmpty() || end.isEnding() || !blocked.contains(end.way()));
        }
        Listener listener = listeners.get(lane.attempt.remote());
        return !paused.contains(lane.attempt.from()) && (listener == null || !paused.contains(listener.owner()));
    }

    /** Performs all possible events in turn; fails if the events do not end. */
    public void settle() {
        for (int steps = 0; step(); steps++) {
            if (steps == 1_000_000) {
                throw new IllegalStateException("The network did not come to rest within a million steps.");
            }
        }
    }

    /** Cuts all connections between two nodes; both ends are notified. Data in transit are lost. */
    public void cut(String node, String other) {
        for (Lane lane : List.copyOf(lanes)) {
            MemoryConnection end = lane.target;
            if (end != null
                    && (end.way().equals(new Way(node, other)) || end.way().equals(new Way(other, node)))) {
                end.losePeer("The connection with " + end.remote() + " broke: Connection reset by peer.");
            }
        }
    }

    /**
     * Blocks all traffic between two nodes without notification of either; connects fail. The real transport gives up
     * such a connection after 10 s: call {@link #cut} then.
     */
    public void block(String node, String other) {
        blockOneWay(node, other);
        blockOneWay(other, node);
    }

    /**
     * Blocks only one direction, like {@link #block}; connects fail both ways, because a connect needs both directions.
     */
    public void blockOneWay(String from, String to) {
        blocked.add(new Way(from, to));
    }

    /** Unblocks both directions; blocked data arrive. */
    public void unblock(String node, String other) {
        blocked.remove(new Way(node, other));
        blocked.remove(new Way(other, node));
    }

    /** Pauses or resumes the handlers of a node, like a stopped process. Its connections stay open. */
    public void pause(MemoryTransport node, boolean pause) {
        if (pause) {
            paused.add(node);
        } else {
            paused.remove(node);
        }
    }

    /** Loses single frames from now on, unlike any correct transport, to test end-to-end checks. */
    public void lose(Loss which) {
        loss = which;
    }

    /** Listener for every offered frame; may later offer frames over the same connection. */
    @FunctionalInterface
    public interface Tap {
        /** Reports an offered frame. */
        void offered(Connection connection, DirectBuffer frame, int offset, int length);
    }

    /** Sets a listener for all connections, like an attacker on the path. */
    public void tap(Tap who) {
        tap = who;
    }

    /**
     * Authenticates the ends of connections by the names of their transports; without this call no end is
     * authenticated.
     */
    public void authenticate(Function<String, Optional<PeerCertificate>> who) {
        certificates = who;
    }

    Optional<PeerCertificate> certificate(String node) {
        return certificates.apply(node);
    }

    void offered(Connection connection, DirectBuffer frame, int offset, int length) {
        tap.offered(connection, frame, offset, length);
    }

    boolean loses(DirectBuffer frame, int offset, int length) {
        return loss.loses(frame, offset, length);
    }

    /** Starts or stops refusing connects to an address. */
    public void refuse(Endpoint address, boolean refuse) {
        if (refuse) {
            refusing.add(address);
        } else {
            refusing.remove(address);
        }
    }

    /** Crashes a node: its handlers get no more calls, its peers get resets. */
    public void crash(MemoryTransport transport) {
        paused.remove(transport);
        transport.crash();
    }

    Endpoint listen(Endpoint local, Listener listener) {
        Endpoint address = local.port() == 0 ? new Endpoint(local.host(), portNext++) : local;
        if (listeners.putIfAbsent(address, listener) != null) {
            throw MemoryTransport.inUse(address);
        }
        return address;
    }

    void stopListening(MemoryTransport owner) {
        listeners.values().removeIf(listener -> listener.owner() == owner);
    }

    void connect(MemoryTransport from, Endpoint remote, ConnectionHandler handler) {
        lanes.add(new Lane(new Attempt(from, remote, handler), null));
    }

    private void establish(MemoryTransport from, Endpoint remote, ConnectionHandler handler) {
        Listener listener = listeners.get(remote);
        if (from.isCrashed()) {
            return;
        }
        String cause = null;
        if (from.isClosed()) {
            cause = "this node closed its channels";
        } else if (listener == null || refusing.contains(remote)) {
            cause = "Connection refused";
        } else if (isBlocked(from.node(), listener.owner().node())) {
            cause = "connection timed out";
        }
        if (cause != null) {
            handler.onClose("Cannot connect to " + remote + ": " + cause
                    + ". Check that the node is running and that the address is correct.");
            return;
        }
        MemoryConnection near = new MemoryConnection(from, listener.owner().node(), handler, remote.toString());
        MemoryConnection far = new MemoryConnection(
                listener.owner(), from.node(), listener.handlers().get(), from.node() + ":" + portNext++);
        near.join(far);
        far.join(near);
        lanes.add(new Lane(null, near));
        lanes.add(new Lane(null, far));
        from.add(near);
        listener.owner().add(far);
    }

    private boolean move(Lane lane) {
        if (lane.attempt != null) {
            lanes.remove(lane);
            establish(lane.attempt.from(), lane.attempt.remote(), lane.attempt.handler());
            return true;
        }
        boolean moved = lane.target.arrive();
        if (lane.target.isOver()) {
            lanes.remove(lane);
        }
        return moved;
    }

    private boolean isBlocked(String node, String other) {
        return blocked.contains(new Way(node, other)) || blocked.contains(new Way(other, node));
    }
}
