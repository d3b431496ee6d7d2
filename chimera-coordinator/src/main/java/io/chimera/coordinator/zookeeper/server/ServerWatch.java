package io.chimera.coordinator.zookeeper.server;

import io.chimera.common.agent.Clock;
import io.chimera.common.agent.Wakeup;
import io.chimera.common.error.ChimeraException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restarts the embedded ZooKeeper after it stopped by itself, for example because its disk was full. Runs on its own
 * thread; {@link #problem} any thread.
 */
public final class ServerWatch implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(ServerWatch.class);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long RETRY_NS_MIN = TimeUnit.SECONDS.toNanos(1);
    private static final long RETRY_NS_MAX = TimeUnit.SECONDS.toNanos(10);

    private final EmbeddedZooKeeper server;
    private final String directory;
    private final Clock clock;
    private final Wakeup wakeup = new Wakeup();
    private volatile String problem = "";
    private long retryNs = RETRY_NS_MIN;
    private long tryAtNs;

    /**
     * Creates a watch of a running server.
     *
     * @param directory folder of the server, for the operator
     */
    public ServerWatch(EmbeddedZooKeeper server, String directory, Clock clock) {
        this.server = server;
        this.directory = directory;
        this.clock = clock;
        tryAtNs = clock.nanoTime();
    }

    /** Returns why the server does not serve, with the remedy; empty when the server runs. Any thread. */
    public Optional<String> problem() {
        if (!problem.isEmpty()) {
            return Optional.of(problem);
        }
        return server.isRunning() ? Optional.empty() : Optional.of(stopped(""));
    }

    /** Returns the wakeup of this agent. */
    public Wakeup wakeup() {
        return wakeup;
    }

    @Override
    public String roleName() {
        return "zookeeper-watch";
    }

    @Override
    public int doWork() {
        wakeup.sleepAtMost(LOOK_NS);
        long nowNs = clock.nanoTime();
        if (server.isRunning()) {
            if (!problem.isEmpty()) {
                problem = "";
                LOG.warn("The embedded ZooKeeper serves again: directory={}.", directory);
            }
            if (nowNs - tryAtNs >= RETRY_NS_MAX) {
                retryNs = RETRY_NS_MIN; // the restart has lasted
            }
            return 0;
        }
        if (problem.isEmpty()) {
            problem = stopped("");
            LOG.warn("{}", problem);
        }
        if (nowNs - tryAtNs < 0) {
            return 0;
        }
        tryAtNs = nowNs + retryNs;
        retryNs = Math.min(RETRY_NS_MAX, 2 * retryNs);
        try {
            server.restart();
        } catch (ChimeraException e) {
            problem = stopped(" The last attempt failed: " + e.getMessage());
        }
        return 1;
    }

    private String stopped(String attempt) {
        return "The embedded ZooKeeper stopped: no cycle begins or ends. Its disk is full or fails: free space for "
                + directory + " or repair the disk. The coordinator retries the start every few seconds." + attempt;
    }
}
