package io.chimera.testkit.channel;

import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.channel.CreditWindow;
import io.chimera.common.channel.Transport;
import io.chimera.common.identity.PeerCertificate;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** One end of a connection within {@link MemoryNetwork}, with the queue of its pending arrivals. */
final class MemoryConnection implements Connection {
    /** Maximum number of frames in transit, like the queue of the real connection. */
    private static final int FRAMES_MAX = 1024;

    /** Pending arrival: a frame, returned credit, or the end with its reason. The opening precedes all arrivals. */
    private record Arrival(UnsafeBuffer frame, int credit, String end) {}

    private final MemoryTransport owner;
    private final MemoryNetwork.Way way;
    private final ConnectionHandler handler;
    private final String remote;
    private final CreditWindow credit = new CreditWindow();
    private final Deque<Arrival> arrivals = new ArrayDeque<>();
    private MemoryConnection peer;
    private int frames;
    private boolean opened;
    private boolean closing;
    private boolean over;
    private boolean counted;

    MemoryConnection(MemoryTransport owner, String peerNode, ConnectionHandler handler, String remote) {
        this.owner = owner;
        way = new MemoryNetwork.Way(peerNode, owner.node());
        this.handler = handler;
        this.remote = remote;
        credit.grant(CreditWindow.BYTES);
    }

    void join(MemoryConnection newPeer) {
        peer = newPeer;
    }

    MemoryTransport owner() {
        return owner;
    }

    /** Direction from the other end to this end. */
    MemoryNetwork.Way way() {
        return way;
    }

    @Override
    public boolean offer(DirectBuffer buffer, int offset, int length) {
        if (length < 1 || length > Transport.FRAME_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "A frame must have 1 to " + Transport.FRAME_LENGTH_MAX + " bytes, not " + length + ".");
        }
        if (!isOpen() || peer.frames >= FRAMES_MAX || !credit.take(length)) {
            return false;
        }
        // Data sent to a closed end are lost, as with a socket.
        if (!peer.closing && !peer.over && !owner.network().loses(buffer, offset, length)) {
            UnsafeBuffer frame = new UnsafeBuffer(new byte[length]);
            frame.putBytes(0, buffer, offset, length);
            peer.frames++;
            peer.arrivals.add(new Arrival(frame, 0, null));
        }
        owner.network().offered(this, buffer, offset, length);
        return true;
    }

    @Override
    public Optional<PeerCertificate> certificate() {
        return owner.network().certificate(way.from());
    }

    @Override
    public void consumed(int bytes) {
        if (credit.consume(bytes) && !over && !peer.closing && !peer.over) {
            peer.arrivals.add(new Arrival(null, credit.collect(), null));
        }
    }

    @Override
    public boolean hasCaughtUp() {
        return credit.isReturned();
    }

    @Override
    public boolean isOpen() {
        return opened && !closing && !over;
    }

    @Override
    public void close() {
        close("This node closed the connection with " + remote + ".");
    }

    void close(String reason) {
        if (closing || over) {
            return;
        }
        end(reason);
        if (!peer.over && !peer.closing) {
            peer.arrivals.add(new Arrival(null, 0, peer.remote + " closed the connection."));
        }
    }

    @Override
    public String remote() {
        return remote;
    }

    /** Cuts the direction to this end: pending arrivals are lost, and the end of the connection comes next. */
    void losePeer(String reason) {
        if (!over && !closing) {
            end(reason);
        }
    }

    private void end(String reason) {
        closing = true;
        frames = 0;
        arrivals.clear();
        arrivals.add(new Arrival(null, 0, reason));
    }

    /** Simulates a crash of the owner: its handler gets no more calls, the other end gets a reset. */
    void crash() {
        over = true;
        arrivals.clear();
        peer.losePeer("The connection with " + peer.remote + " broke: Connection reset by peer.");
    }

    boolean hasArrivals() {
        return !over && (!opened || !arrivals.isEmpty());
    }

    /** Returns whether the next event is this end's own close, which needs no network. */
    boolean isEnding() {
        return closing;
    }

    boolean isOver() {
        return over;
    }

    /** Delivers the next arrival; returns false if the handler refused it. */
    boolean arrive() {
        if (over) {
            return false;
        }
        if (!opened && !closing) {
            opened = true;
            handler.onOpen(this);
            return true;
        }
        Arrival arrival = arrivals.peek();
        if (arrival.frame != null) {
            return arriveFrame(arrival.frame);
        }
        arrivals.poll();
        if (arrival.end == null) {
            credit.grant(arrival.credit);
        } else {
            over = true;
            owner.remove(this);
            handler.onClose(arrival.end);
        }
        return true;
    }

    private boolean arriveFrame(UnsafeBuffer frame) {
        if (!counted) {
            credit.receive(frame.capacity());
            counted = true;
        }
        if (!handler.onFrame(this, frame, 0, frame.capacity())) {
            return false;
        }
        counted = false;
        // The handler may have closed the connection, which drops the pending arrivals.
        if (!closing) {
            arrivals.poll();
            frames--;
        }
        return true;
    }
}
