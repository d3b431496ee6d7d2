package io.chimera.coordinator.zookeeper.server;

import io.chimera.common.access.AccessControl;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.netty.HandshakeWatch;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.AccessCounter;
import io.chimera.common.security.Tls;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;
import org.apache.zookeeper.jmx.MBeanRegistry;
import org.apache.zookeeper.jmx.ZKMBeanInfo;
import org.apache.zookeeper.server.DatadirCleanupManager;
import org.apache.zookeeper.server.NettyServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.command.FourLetterCommands;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.util.ServiceUtils;
import org.jspecify.annotations.Nullable;

/**
 * Embedded ZooKeeper server for clusters without an ensemble: the real server in this process, with its log and
 * snapshots in a directory. The only four-letter command is {@code srvr}; there is no admin server.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
    /** Interval of session checks; the shortest session timeout is twice as long. */
    private static final int TICK_MS = 500;

    private static final int SESSION_TICKS_MIN = 2;

    /** Longest session timeout: the maximum of the configuration, 5 minutes. */
    private static final int SESSION_MS_MAX = 300_000;

    /**
     * Maximum number of connections per address: all nodes of a test or of a network with address translation may share
     * one address.
     */
    private static final int CONNECTIONS_MAX = 1_000;

    private static final int SNAPSHOTS_KEPT = 3;
    private static final int PURGE_HOURS = 1;

    /** Maximum wait for the port of a stopped server: 10 s; usually some ms. */
    private static final int PORT_LOOKS_MAX = 2_000;

    private static final long PORT_LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);

    /** Default of the operating system. */
    private static final int BACKLOG_DEFAULT = -1;

    private final Path directory;
    private final Endpoint address;
    private final Optional<Tls> tls;
    private final AccessControl access;
    private @Nullable FileChannel lock;
    private @Nullable FileTxnSnapLog log;
    private @Nullable ServerCnxnFactory connections;
    private volatile @Nullable ZooKeeperServer server;
    private @Nullable DatadirCleanupManager cleanup;
    private int port;
    private boolean isClosed;

    /**
     * Starts a server without TLS. The server answers when the constructor returns.
     *
     * @param directory folder of its log and snapshots; created if missing
     * @param address listen address; port 0 selects a free port
     * @throws ChimeraException when the directory or the port is not usable
     */
    public EmbeddedZooKeeper(Path directory, Endpoint address) {
        this(directory, address, Optional.empty(), AccessControl.open(new SystemClock()));
    }

    /**
     * Starts a server. The server answers when the constructor returns.
     *
     * @param tls certificates: clients need a certificate of the same authorities; empty for plain-text connections
     * @param access receives the refused clients
     */
    public EmbeddedZooKeeper(Path directory, Endpoint address, Optional<Tls> tls, AccessControl access) {
        this.tls = tls;
        this.access = access;
        this.directory = directory;
        this.address = address;
        port = address.port();
        keepToOurselves();
        try {
            lockDirectory();
            startServer();
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new ChimeraException(Category.FATAL, "Interrupted while the embedded ZooKeeper started", e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        cleanup = new DatadirCleanupManager(directory.toFile(), directory.toFile(), SNAPSHOTS_KEPT, PURGE_HOURS);
        cleanup.start();
    }

    /** Returns the listen address with the actual port. */
    public Endpoint address() {
        return new Endpoint(address.host(), port);
    }

    /** Returns whether the server serves; false, for example, after a disk failure. */
    public boolean isRunning() {
        ZooKeeperServer current = server;
        return current != null && current.isRunning();
    }

    /**
     * Restarts a server that stopped by itself, on the same port, from the content of its disk. Its sessions continue.
     *
     * @throws ChimeraException when the restart fails, for example while the disk is full; may be called again
     */
    public synchronized void restart() {
        if (isClosed || isRunning()) {
            return;
        }
        stopServer();
        try {
            startServer();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ChimeraException(Category.ERROR, "Interrupted while the embedded ZooKeeper started", e);
        }
        if (!isRunning()) {
            throw unusable(null);
        }
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        if (cleanup != null) {
            cleanup.shutdown();
        }
        stopServer();
        CloseHelper.quietClose(lock);
    }

    private void stopServer() {
        if (connections != null) {
            boolean isBound = connections instanceof NettyServerCnxnFactory netty && netty.getParentChannel() != null;
            connections.shutdown();
            if (isBound) {
                awaitPort();
            }
        }
        ZooKeeperServer current = server;
        if (current != null) {
            current.shutdown();
        }
        if (log != null) {
            CloseHelper.quietClose(log::close);
        }
    }

    /**
     * Waits until the port of the stopped server is free. Netty's close completes before the kernel's: the JDK keeps a
     * listening socket until the next selection of the event loop, and a server may start again at once.
     */
    private void awaitPort() {
        for (int i = 0; i < PORT_LOOKS_MAX && !isPortFree(); i++) {
            LockSupport.parkNanos(PORT_LOOK_NS);
        }
    }

    private boolean isPortFree() {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address.host(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void lockDirectory() {
        try {
            Files.createDirectories(directory);
            FileChannel channel =
                    FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            lock = channel;
            if (channel.tryLock() == null) {
                throw inUse(null);
            }
        } catch (OverlappingFileLockException e) {
            throw inUse(e);
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    private ChimeraException inUse(@Nullable Exception cause) {
        return new ChimeraException(
                Category.FATAL,
                "Another process runs a ZooKeeper server on " + directory.toAbsolutePath()
                        + ". Stop that process, or set another coordinator.embedded.data_dir.",
                cause);
    }

    private ChimeraException unusable(@Nullable Exception cause) {
        return new ChimeraException(
                Category.FATAL,
                "The embedded ZooKeeper cannot use its directory " + directory.toAbsolutePath() + " (" + cause
                        + "). Make the directory writable for this user, free space on its disk, or set another"
                        + " coordinator.embedded.data_dir.",
                cause);
    }

    private void startServer() throws InterruptedException {
        FileTxnSnapLog files;
        try {
            files = new FileTxnSnapLog(directory.toFile(), directory.toFile());
        } catch (IOException e) {
            throw unusable(e);
        }
        log = files;
        ZooKeeperServer started =
                new GuardedZooKeeper(files, TICK_MS, TICK_MS * SESSION_TICKS_MIN, SESSION_MS_MAX, access);
        server = started;
        files.setServerStats(started.serverStats());
        ServerCnxnFactory accepting;
        try {
            accepting = tls.isPresent() ? MemberCertificates.connections(tls.get()) : ServerCnxnFactory.createFactory();
            connections = accepting;
            accepting.configure(
                    new InetSocketAddress(address.host(), port), CONNECTIONS_MAX, BACKLOG_DEFAULT, tls.isPresent());
        } catch (IOException e) {
            throw cannotListen(e);
        }
        try {
            accepting.startup(started);
        } catch (BindException e) {
            throw cannotListen(e);
        } catch (IOException e) {
            throw unusable(e);
        }
        // Netty, which serves TLS, binds at startup and not at configuration.
        port = accepting.getLocalPort();
        if (accepting instanceof NettyServerCnxnFactory netty) {
            HandshakeWatch.start(
                    netty.getParentChannel(),
                    (client, reason) -> access.refusedElsewhere(
                            AccessCounter.LOGINS_FAILED, client, "zookeeper", "ZooKeeper " + address(), reason));
        }
    }

    private ChimeraException cannotListen(IOException cause) {
        return new ChimeraException(
                Category.FATAL,
                "The embedded ZooKeeper cannot listen on " + address + " (" + cause.getMessage()
                        + "). Stop the program that uses the port, or set another coordinator.embedded.address.",
                cause);
    }

    /**
     * Disables JMX beans in this process, commands that list clients to strangers, and the exit of this process on a
     * server failure: the coordinator handles the failure.
     */
    private static void keepToOurselves() {
        System.setProperty("zookeeper.4lw.commands.whitelist", "srvr");
        FourLetterCommands.resetWhiteList();
        MBeanRegistry.setInstance(new NoBeans());
        ServiceUtils.setSystemExitProcedure(ServiceUtils.LOG_ONLY);
    }

    private static final class NoBeans extends MBeanRegistry {
        @Override
        public void register(ZKMBeanInfo bean, ZKMBeanInfo parent) {}

        @Override
        public void unregister(ZKMBeanInfo bean) {}

        @Override
        public Set<ZKMBeanInfo> getRegisteredBeans() {
            return Set.of();
        }
    }
}
