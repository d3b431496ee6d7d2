package io.chimera.coordinator.zookeeper;

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
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
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

/**
 * A ZooKeeper server of one's own, for clusters that have no ensemble: the real server, in this process, with its log and
 * snapshots in a directory. It answers the one four-letter command {@code srvr} and runs no admin server.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
    /** Sessions are checked at this pace; the shortest one is twice as long. */
    private static final int TICK_MS = 500;

    private static final int SESSION_TICKS_MIN = 2;

    /** As long as the configuration allows: 5 minutes. */
    private static final int SESSION_MS_MAX = 300_000;

    /** Per address: behind one address there may be all nodes of a test or of a translated network. */
    private static final int CONNECTIONS_MAX = 1_000;

    private static final int SNAPSHOTS_KEPT = 3;
    private static final int PURGE_HOURS = 1;

    /** The operating system's own. */
    private static final int BACKLOG_DEFAULT = -1;

    private final Path directory;
    private final Endpoint address;
    private final Optional<Tls> tls;
    private final AccessControl access;
    private FileChannel lock;
    private FileTxnSnapLog log;
    private ServerCnxnFactory connections;
    private volatile ZooKeeperServer server;
    private DatadirCleanupManager cleanup;
    private int port;
    private boolean isClosed;

    /**
     * Starts a server; it answers when this returns.
     *
     * @param directory of its log and snapshots; made when it is not there
     * @param address where it listens; port 0 takes a free one
     * @throws ChimeraException when the directory or the port cannot be had
     */
    public EmbeddedZooKeeper(Path directory, Endpoint address) {
        this(directory, address, Optional.empty(), AccessControl.open(new SystemClock()));
    }

    /**
     * Starts a server; it answers when this returns.
     *
     * @param tls certificates: clients without one of the same authorities are refused; empty: connections in the clear
     * @param access is told of clients that are refused
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

    /** Host and port where it listens. */
    public Endpoint address() {
        return new Endpoint(address.host(), port);
    }

    /** Whether it serves; false after its disk failed, for one. */
    public boolean isRunning() {
        return server.isRunning();
    }

    /**
     * Starts the server again after it stopped by itself, on the same port, with what its disk holds. Its sessions go on.
     *
     * @throws ChimeraException when it cannot, as while the disk is still full; it may be called again
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
            connections.shutdown();
        }
        if (server != null) {
            server.shutdown();
        }
        if (log != null) {
            CloseHelper.quietClose(log::close);
        }
    }

    private void lockDirectory() {
        try {
            Files.createDirectories(directory);
            lock = FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock.tryLock() == null) {
                throw inUse(null);
            }
        } catch (OverlappingFileLockException e) {
            throw inUse(e);
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    private ChimeraException inUse(Exception cause) {
        return new ChimeraException(
                Category.FATAL,
                "Another process runs a ZooKeeper server on " + directory.toAbsolutePath()
                        + ". Stop it, or give this one a directory of its own (coordinator.embedded.data_dir).",
                cause);
    }

    private ChimeraException unusable(Exception cause) {
        return new ChimeraException(
                Category.FATAL,
                "The embedded ZooKeeper cannot use its directory " + directory.toAbsolutePath() + " (" + cause
                        + "). Make it writable for this user, see that its disk is not full, or name another one"
                        + " (coordinator.embedded.data_dir).",
                cause);
    }

    private void startServer() throws InterruptedException {
        try {
            log = new FileTxnSnapLog(directory.toFile(), directory.toFile());
        } catch (IOException e) {
            throw unusable(e);
        }
        server = new GuardedZooKeeper(log, TICK_MS, TICK_MS * SESSION_TICKS_MIN, SESSION_MS_MAX, access);
        log.setServerStats(server.serverStats());
        try {
            connections =
                    tls.isPresent() ? MemberCertificates.connections(tls.get()) : ServerCnxnFactory.createFactory();
            connections.configure(
                    new InetSocketAddress(address.host(), port), CONNECTIONS_MAX, BACKLOG_DEFAULT, tls.isPresent());
        } catch (IOException e) {
            throw cannotListen(e);
        }
        try {
            connections.startup(server);
        } catch (BindException e) {
            throw cannotListen(e);
        } catch (IOException e) {
            throw unusable(e);
        }
        // Netty, which serves TLS, binds when it starts and not when it is configured.
        port = connections.getLocalPort();
        if (connections instanceof NettyServerCnxnFactory netty) {
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
                        + "). Stop what uses the port, or choose another one (coordinator.embedded.address).",
                cause);
    }

    /**
     * No beans in this process's JMX, no command that tells strangers of the clients, and no end to this process when the
     * server fails: the coordinator decides that.
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
