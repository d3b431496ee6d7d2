package io.chimera.common.channel;

import io.chimera.common.security.PeerCertificate;
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
 * The network of a simulated cluster: carries what {@link MemoryTransport}s send, on the caller's thread and only when
 * told to by {@link #step}. Nothing happens inside an offer or a connect, so a handler is never entered twice. Frames of
 * one direction of a connection arrive in order; between directions the caller chooses, so that a seed decides. Not
 * thread-safe.
 */
public final class MemoryNetwork {
    /** One direction of a connection, or an attempt to connect: what lies in it arrives in order. */
    private record Lane(Attempt attempt, MemoryConnection target) {}

    private record Attempt(MemoryTransport from, Endpoint remote, ConnectionHandler handler) {}

    /** From one node to another. */
    record Way(String from, String to) {}

    /** Decides which frames are lost on their way although their connection stands. */
    @FunctionalInterface
    public interface Loss {
        /** Whether this frame is lost. */
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

    /** A network without nodes. */
    public MemoryNetwork() {}

    /** A transport of its own for a node. */
    public MemoryTransport transport(String node) {
        return new MemoryTransport(this, node);
    }

    /** Moves one thing on the next connection in turn that has one; false when nothing can move. */
    public boolean step() {
        turn++;
        return step(count -> Math.floorMod(turn, count));
    }

    /**
     * Moves one thing, chosen by the caller: a connect, a frame, a return of credit, or a close.
     *
     * @param choose given the number of connections' directions that have something, returns the index of one
     * @return false when nothing moved: there is nothing on the way, or all of it is blocked or refused by its handler
     */
    public boolean step(IntUnaryOperator choose) {
        return stepAt(choose) != null;
    }

    /** As {@link #step(IntUnaryOperator)}; returns the node at which something arrived, null when nothing moved. */
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

    /** Moves all that can move, in turn; fails when it does not come to rest. */
    public void settle() {
        for (int steps = 0; step(); steps++) {
            if (steps == 1_000_000) {
                throw new IllegalStateException("The network did not come to rest within a million steps.");
            }
        }
    }

    /** Cuts all connections between two nodes; both ends hear of it. What was on the way is lost. */
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
     * Lets nothing through between two nodes from now on, without either hearing of it; connects fail. The real transport
     * gives such a connection up after 10 s: {@link #cut} it then.
     */
    public void block(String node, String other) {
        blockOneWay(node, other);
        blockOneWay(other, node);
    }

    /** As {@link #block}, but only what one node sends to the other; connects fail both ways, since they need both. */
    public void blockOneWay(String from, String to) {
        blocked.add(new Way(from, to));
    }

    /** Lets things through again, both ways; what was held back arrives. */
    public void unblock(String node, String other) {
        blocked.remove(new Way(node, other));
        blocked.remove(new Way(other, node));
    }

    /** Calls no handler of a node, as when its process stands still, or does so again. Its connections stay open. */
    public void pause(MemoryTransport node, boolean pause) {
        if (pause) {
            paused.add(node);
        } else {
            paused.remove(node);
        }
    }

    /** Loses single frames from now on, as no sound transport does: for what checks that all came. */
    public void lose(Loss which) {
        loss = which;
    }

    /** Hears of every frame that is offered, with what offers it or any other frame over the same connection later. */
    @FunctionalInterface
    public interface Tap {
        /** A frame was offered. */
        void offered(Connection connection, DirectBuffer frame, int offset, int length);
    }

    /** Lets somebody listen on all connections, as one can who sits on the way. */
    public void tap(Tap who) {
        tap = who;
    }

    /** Proves to each end which node the other one is, by the name of its transport; without, nobody is proved. */
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

    /** Refuses connects to an address, or no longer. */
    public void refuse(Endpoint address, boolean refuse) {
        if (refuse) {
            refusing.add(address);
        } else {
            refusing.remove(address);
        }
    }

    /** Ends a node without a word: none of its handlers is called any more, its peers see their connections reset. */
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
                    + ". Check that the node there runs and that this is its address.");
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
