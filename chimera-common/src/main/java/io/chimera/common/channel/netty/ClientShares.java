package io.chimera.common.channel.netty;

import io.chimera.common.channel.ClientAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * Connections and body bytes that each client holds of one listener. A client is an address or the name of a principal.
 * Only clients with connections or bodies are known, so the limits of the listener bound the memory. Any thread.
 */
final class ClientShares {
    private static final class Held {
        private int connections;
        private long bytes;
    }

    private final Map<Object, Held> byClient = new HashMap<>();
    private final int connectionsMax;
    private final long bytesMax;

    /** Shares that nobody holds yet. */
    ClientShares(int connectionsMax, long bytesMax) {
        this.connectionsMax = connectionsMax;
        this.bytesMax = bytesMax;
    }

    /** The client behind an address. */
    static Object clientOf(InetSocketAddress address) {
        return address.getAddress() == null ? address.getHostString() : ClientAddress.of(address.getAddress());
    }

    int connectionsMax() {
        return connectionsMax;
    }

    long bytesMax() {
        return bytesMax;
    }

    /** Counts a connection, which {@link #disconnect} ends; false when the client has more than its share now. */
    synchronized boolean connect(Object client) {
        return ++byClient.computeIfAbsent(client, unseen -> new Held()).connections <= connectionsMax;
    }

    /** Ends a connection that was counted. */
    synchronized void disconnect(Object client) {
        Held held = byClient.get(client);
        held.connections--;
        forget(client, held);
    }

    /** Reserves bytes for a body, until {@link #release}; false when the client has no share left for them. */
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

    /** Gives reserved bytes back. */
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

    /** Clients that hold anything. */
    synchronized int clients() {
        return byClient.size();
    }
}
