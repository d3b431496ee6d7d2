package io.chimera.dataset.source.xrootd.connection;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.AllowedHosts;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.xrootd.wire.ServerAddress;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Connections by server and lane. A lane is one connection per server: several lanes give several TCP windows. Any
 * thread. {@link #check} must run regularly.
 */
public final class ConnectionPool {
    /** Maximum time from a caller's lookup of a connection to the request. */
    private static final Duration IN_USE = Duration.ofSeconds(1);

    private final SharedValues<Key, XrootdConnection> connections = new SharedValues<>();
    private final AllowedHosts allowed;
    private final XrootdLimits limits;
    private final Clock clock;
    private final Handshake handshake;
    private volatile boolean isClosed;

    private record Key(ServerAddress server, int lane) {}

    /**
     * Creates a pool without connections.
     *
     * @param allowed hosts that the operator allows
     * @param needsTls whether a server without TLS is refused
     * @param tls context of TLS; null for the default of the JVM
     * @param user name for the servers' logs
     * @param limits time limits and bounds
     * @param clock time of the limits
     */
    public ConnectionPool(
            AllowedHosts allowed,
            boolean needsTls,
            @Nullable SSLContext tls,
            String user,
            XrootdLimits limits,
            Clock clock) {
        this.allowed = allowed;
        this.limits = limits;
        this.clock = clock;
        this.handshake = new Handshake(needsTls, tls, user, limits, clock);
    }

    /**
     * Returns a connection, and connects where necessary.
     *
     * @param server the server
     * @param lane 0 to the number of lanes less 1
     * @throws SourceException NOT_ALLOWED, or when there is no connection
     */
    public XrootdConnection get(ServerAddress server, int lane) throws SourceException {
        allowed.check(server.host(), server.port());
        checkOpen();
        return connections.get(new Key(server, lane), XrootdConnection::touch, () -> connect(server));
    }

    private XrootdConnection connect(ServerAddress server) throws SourceException {
        makeRoom(server);
        XrootdConnection connection = new XrootdConnection(handshake.open(server), server, limits, clock);
        connection.start();
        if (isClosed) {
            connection.close();
        }
        return connection;
    }

    private void makeRoom(ServerAddress server) throws SourceException {
        int excess = connections.size() - limits.connectionsMax();
        if (excess > 0) {
            long nowNs = clock.nanoTime();
            connections
                    .removeIf(connection -> connection.isIdle(nowNs, IN_USE), excess)
                    .forEach(XrootdConnection::close);
            if (connections.size() > limits.connectionsMax()) {
                throw new SourceException(
                        SourceFault.BUSY,
                        "server " + server + ": all " + limits.connectionsMax()
                                + " connections are in use; read with fewer threads");
            }
        }
    }

    private void checkOpen() throws SourceException {
        if (isClosed) {
            throw new SourceException(SourceFault.UNREACHABLE, "the data source is closed");
        }
    }

    /** Enforces the time limits of all connections and closes idle ones. Does not block. */
    public void check() {
        long nowNs = clock.nanoTime();
        connections.present().forEach(connection -> connection.check(nowNs));
        connections
                .removeIf(
                        connection -> !connection.isOpen() || connection.isIdle(nowNs, limits.idle()),
                        Integer.MAX_VALUE)
                .forEach(XrootdConnection::close);
    }

    /** Returns the number of connections. */
    public int size() {
        return connections.size();
    }

    /** Closes all connections; requests under way fail, and no connection is made any more. */
    public void close() {
        isClosed = true;
        connections.removeIf(connection -> true, Integer.MAX_VALUE).forEach(XrootdConnection::close);
    }
}
