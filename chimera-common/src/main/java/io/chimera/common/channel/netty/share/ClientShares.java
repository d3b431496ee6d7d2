package io.chimera.common.channel.netty.share;

import io.chimera.common.channel.ClientAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts the connections and body bytes of each client at one listener. A client is an address or the name of a
 * principal. Only clients with connections or bodies have an entry, so the limits of the listener bound the memory. Any
 * thread.
 */
public final class ClientShares {
    private static final class Held {
        private int connections;
        private long bytes;
    }

    private final Map<Object, Held> byClient = new HashMap<>();
    private final int connectionsMax;
    private final long bytesMax;

    /** Creates unused shares. */
    public ClientShares(int connectionsMax, long bytesMax) {
        this.connectionsMax = connectionsMax;
        this.bytesMax = bytesMax;
    }

    /** Returns the client identity of an address. */
    public static Object clientOf(InetSocketAddress address) {
        return address.getAddress() == null ? address.getHostString() : ClientAddress.of(address.getAddress());
    }

    int connectionsMax() {
        return connectionsMax;
    }

    long bytesMax() {
        return bytesMax;
    }

    /** Counts a connection until {@link #disconnect}; returns false if the client now exceeds its share. */
    public synchronized boolean connect(Object client) {
        return ++byClient.computeIfAbsent(client, unseen -> new Held()).connections <= connectionsMax;
    }

    /** Ends a counted connection. */
    public synchronized void disconnect(Object client) {
        Held held = byClient.get(client);
        held.connections--;
        forget(client, held);
    }

    /** Reserves bytes for a body until {@link #release}; returns false if the client's share is too small. */
    synchronized boolean reserve(Object client, long bytes) {
        Held held = byClient.computeIfAbsent(client, unseen -> new Held());
        boolean hasRoom = held.bytes + bytes <= bytesMax;
        if (hasRoom) {
            held.bytes += bytes;
        } else {
            forget(client, held);
        }
        return hasRoom;
    }

    /** Returns reserved bytes. */
    synchronized void release(Object client, long bytes) {
        Held held = byClient.get(client);
        if (held != null) {
            held.bytes -= bytes;
            forget(client, held);
        }
    }

    private void forget(Object client, Held held) {
        if (held.connections == 0 && held.bytes == 0) {
            byClient.remove(client);
        }
    }

    /** Number of clients with connections or bytes. */
    synchronized int clients() {
        return byClient.size();
    }
}
