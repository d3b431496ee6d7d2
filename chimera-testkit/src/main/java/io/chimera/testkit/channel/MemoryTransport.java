package io.chimera.testkit.channel;

import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.Transport;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Transport of a node in a {@link MemoryNetwork}. Only {@link MemoryNetwork#step} calls the handlers. */
public final class MemoryTransport implements Transport {
    private final MemoryNetwork network;
    private final String node;
    private final List<MemoryConnection> connections = new ArrayList<>();
    private boolean closed;
    private boolean crashed;

    MemoryTransport(MemoryNetwork network, String node) {
        this.network = network;
        this.node = node;
    }

    /** Name of the node, for the faults of {@link MemoryNetwork}. */
    public String node() {
        return node;
    }

    MemoryNetwork network() {
        return network;
    }

    @Override
    public void connect(Endpoint remote, ConnectionHandler handler) {
        checkOpen();
        network.connect(this, remote, handler);
    }

    @Override
    public Endpoint listen(Endpoint local, Supplier<ConnectionHandler> handlers) {
        checkOpen();
        return network.listen(local, new MemoryNetwork.Listener(this, handlers));
    }

    /** Closes all connections and listeners; unlike the real transport, notifies the handlers in later steps. */
    @Override
    public void close() {
        closed = true;
        network.stopListening(this);
        List.copyOf(connections).forEach(connection -> connection.close("This node closed its channels."));
    }

    void crash() {
        closed = true;
        crashed = true;
        network.stopListening(this);
        List.copyOf(connections).forEach(MemoryConnection::crash);
        connections.clear();
    }

    boolean isClosed() {
        return closed;
    }

    boolean isCrashed() {
        return crashed;
    }

    void add(MemoryConnection connection) {
        connections.add(connection);
    }

    void remove(MemoryConnection connection) {
        connections.remove(connection);
    }

    static ChimeraException inUse(Endpoint local) {
        return new ChimeraException(
                ChimeraException.Category.FATAL,
                "Cannot listen on " + local + ": Address already in use. Stop the program that uses the port or set"
                        + " another address.");
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("The transport is closed.");
        }
    }
}
