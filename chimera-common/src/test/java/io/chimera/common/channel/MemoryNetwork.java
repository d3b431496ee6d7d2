package io.chimera.common.channel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/**
 * The network of a simulated cluster: carries what {@link MemoryTransport}s send, on the caller's thread and only when
 * told to by {@link #step}. Nothing happens inside an offer or a connect, so a handler is never entered twice. Frames of
 * one direction of a connection arrive in order; between directions the caller chooses, so that a seed decides. Not
 * thread-safe.
 */
public final class MemoryNetwork {
    /** One direction of a connection, or an attempt to connect: what lies in it arrives in order. */
    private static final class Lane {
        final Runnable connect;
        final MemoryConnection target;

        Lane(Runnable connect, MemoryConnection target) {
            this.connect = connect;
            this.target = target;
        }
    }

    private final List<Lane> lanes = new ArrayList<>();
    private final Map<Endpoint, Listener> listeners = new HashMap<>();
    private final Set<Endpoint> refusing = new HashSet<>();
    private final Set<Set<String>> blocked = new HashSet<>();
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
        List<Lane> ready = new ArrayList<>();
        for (Lane lane : lanes) {
            if (lane.connect != null || (lane.target.hasArrivals() && !isBlocked(lane.target))) {
                ready.add(lane);
            }
        }
        while (!ready.isEmpty()) {
            Lane lane = ready.remove(choose.applyAsInt(ready.size()));
            if (move(lane)) {
                return true;
            }
        }
        return false;
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
            if (end != null && Set.of(node, other).equals(nodesOf(end))) {
                end.losePeer("The connection with " + end.remote() + " broke: Connection reset by peer.");
            }
        }
    }

    /**
     * Lets nothing through between two nodes from now on, without either hearing of it; connects fail. The real transport
     * gives such a connection up after 10 s: {@link #cut} it then.
     */
    public void block(String node, String other) {
        blocked.add(Set.of(node, other));
    }

    /** Lets things through again; what was held back arrives. */
    public void unblock(String node, String other) {
        blocked.remove(Set.of(node, other));
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
        Lane[] lane = new Lane[1];
        lane[0] = new Lane(
                () -> {
                    lanes.remove(lane[0]);
                    establish(from, remote, handler);
                },
                null);
        lanes.add(lane[0]);
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
        } else if (blocked.contains(Set.of(from.node(), listener.owner().node()))) {
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
        if (lane.connect != null) {
            lane.connect.run();
            return true;
        }
        boolean moved = lane.target.arrive();
        if (lane.target.isOver()) {
            lanes.remove(lane);
        }
        return moved;
    }

    private boolean isBlocked(MemoryConnection end) {
        return blocked.contains(nodesOf(end));
    }

    private static Set<String> nodesOf(MemoryConnection end) {
        return end.node().equals(end.peerNode()) ? Set.of(end.node()) : Set.of(end.node(), end.peerNode());
    }
}
