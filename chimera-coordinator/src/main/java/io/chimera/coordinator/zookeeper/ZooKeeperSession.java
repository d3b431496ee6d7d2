package io.chimera.coordinator.zookeeper;

import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Conductorship;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.BoundedExponentialBackoffRetry;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;

/**
 * A process's connection to its cluster in ZooKeeper, mended by itself for as long as the process lives. What stands in
 * ZooKeeper is drawn in docs/protocol.md. Any thread.
 */
public final class ZooKeeperSession implements AutoCloseable {
    private static final int CONNECTION_TIMEOUT_MS = 3_000;
    private static final int RETRY_MS_MIN = 50;
    private static final int RETRY_MS_MAX = 1_000;

    private final Access access;
    private final ZooKeeperTls tls;
    private final CuratorFramework client;
    private final SessionAgent agent;
    private final AgentThreads threads;
    private final ZooKeeperCluster cluster;

    /**
     * Begins to connect, and returns at once.
     *
     * @param settings which cluster, and where it is kept
     * @param nodeName goes into the names of threads
     * @param clock for the times between attempts
     * @param counters of this node
     * @param errors is told when this process cannot belong to the cluster (a {@link ChimeraException} that is FATAL), and
     *     of defects
     */
    public ZooKeeperSession(
            ZooKeeperSettings settings,
            String nodeName,
            Clock clock,
            Counters<ClusterCounter> counters,
            ErrorHandler errors) {
        Access access = new Access(settings);
        tls = settings.tls().map(ZooKeeperTls::new).orElse(null);
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(settings.connect())
                .sessionTimeoutMs(Math.toIntExact(settings.sessionTimeout().toMillis()))
                .connectionTimeoutMs(CONNECTION_TIMEOUT_MS)
                // For the election only; everything else asks ZooKeeper itself and knows better when to ask again.
                .retryPolicy(new BoundedExponentialBackoffRetry(RETRY_MS_MIN, RETRY_MS_MAX, Integer.MAX_VALUE))
                .ensembleTracker(false)
                .dontUseContainerParents()
                .aclProvider(new Lists(access));
        if (access.hasSecret()) {
            builder.authorization(Access.SCHEME, access.credentials());
        }
        if (tls != null) {
            builder.zkClientConfig(tls.client());
        }
        client = builder.build();
        agent = new SessionAgent(settings, access, clock, counters, this::zooKeeper);
        this.access = access;
        cluster = new ZooKeeperCluster(agent, counters);
        client.getConnectionStateListenable().addListener((from, state) -> agent.onState(state));
        threads = new AgentThreads(nodeName, errors);
        threads.startControl(agent, agent.wakeup());
        client.start();
    }

    /** This process as a node of the cluster. */
    public Cluster cluster() {
        return cluster;
    }

    /** This process as one of the coordinators. */
    public Conductorship conductorship(String id) {
        ZooKeeperSettings.checkName("coordinator", id);
        Election election = new Election(client, agent.znodes(), id);
        agent.add(election);
        return new ZooKeeperConductorship(agent, election);
    }

    /** Runs something whenever the view, or who leads, may have changed. It must not wait. */
    public void onView(Runnable listener) {
        agent.onView(listener);
    }

    /** The newest view. */
    public ClusterView view() {
        return agent.view();
    }

    /** Id of the coordinator that conducts, or did so last; empty before the first. */
    public String conductor() {
        return agent.leader().id();
    }

    /** The epoch of that coordinator. */
    public long epoch() {
        return agent.leader().epoch();
    }

    /** Why this process has no part in the cluster at this moment, in words for the operator. */
    public Optional<String> problem() {
        return Optional.of(agent.problem())
                .filter(problem -> !problem.isEmpty())
                .or(cluster::refusal);
    }

    /**
     * Takes a queue node out of the group: its journal is not waited for any more. For nodes that are drained or lost for
     * good; should one come back, it must come with an empty journal. Waits for the answer.
     *
     * @return false when it was not registered
     */
    public boolean unregister(String queueNode) {
        ZooKeeperSettings.checkName("queue node", queueNode);
        return delete("queue node " + queueNode, link -> link.znodes().group(queueNode));
    }

    /**
     * Forgets an archive node: answers do not name it any more while it is away. Waits for the answer.
     *
     * @return false when it was not known
     */
    public boolean forgetArchive(String archiveNode) {
        ZooKeeperSettings.checkName("archive node", archiveNode);
        return delete("archive node " + archiveNode, link -> link.znodes().archiveNode(archiveNode));
    }

    /**
     * Asks for a replay; the conductor works it off. Waits for the answer.
     *
     * @throws ChimeraException when it does not stand, with the reason and what to do
     */
    public void requestReplay(ReplayRequest request) {
        if (view().replays().requests().values().stream()
                        .filter(open -> !open.isDone())
                        .count()
                >= ReplayRequest.REQUESTS_MAX) {
            throw new ChimeraException(
                    Category.ERROR,
                    ReplayRequest.REQUESTS_MAX + " requests for replays wait already. Wait for some of them"
                            + " (chimera cluster status), or withdraw them (chimera replay --cancel).");
        }
        Link link = liveFor("Replay " + request.id() + " cannot be asked for");
        try {
            link.zooKeeper()
                    .create(
                            link.znodes().replay(request.id()),
                            ReplayCodec.encode(request),
                            link.access().of(link.znodes().replay(request.id())),
                            CreateMode.PERSISTENT);
        } catch (KeeperException e) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Replay " + request.id() + " could not be asked for (" + e.code() + "); look whether it stands"
                            + " (chimera cluster status), else try again",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ChimeraException(Category.ERROR, "Interrupted while asking for replay " + request.id(), e);
        }
    }

    /**
     * Makes the cluster's znodes readable and writable for nodes with its secret only. Waits until all of it is done.
     *
     * @param isDryRun whether to look only
     * @throws ChimeraException when it is refused, with the reason and what to do
     */
    public SecuredTree secure(boolean isDryRun) {
        Link link = liveFor("The znodes cannot be secured");
        try {
            return new TreeLock(link.zooKeeper(), link.znodes(), access).run(isDryRun);
        } catch (KeeperException e) {
            throw new ChimeraException(
                    Category.ERROR, "Securing the znodes stopped halfway (" + e.code() + "); run the command again", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ChimeraException(
                    Category.ERROR, "Interrupted while securing the znodes; run the command again", e);
        }
    }

    /**
     * Withdraws a request for a replay; what it has begun is given up. Waits for the answer.
     *
     * @return false when there is none of that id
     */
    public boolean withdrawReplay(String id) {
        return delete("replay " + id, link -> link.znodes().replay(id));
    }

    /** Whether ZooKeeper answers and its tree was read, be it damaged or not. */
    public boolean isLive() {
        return agent.live() != null;
    }

    /**
     * The tree as it stands, for an operator who rebuilds it.
     *
     * @throws ChimeraException when ZooKeeper is not connected
     */
    public TreeRecovery recovery() {
        return new TreeRecovery(liveFor("The tree cannot be recovered"));
    }

    private boolean delete(String what, Function<Link, String> path) {
        Link link = liveFor("To remove " + what + " is not possible");
        try {
            link.zooKeeper().delete(path.apply(link), -1);
            return true;
        } catch (KeeperException.NoNodeException e) {
            return false;
        } catch (KeeperException e) {
            throw new ChimeraException(Category.ERROR, "To remove " + what + " failed; try again", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ChimeraException(Category.ERROR, "Interrupted while removing " + what, e);
        }
    }

    private Link liveFor(String failure) {
        Link link = agent.live();
        if (link == null) {
            throw new ChimeraException(
                    Category.ERROR, failure + " because ZooKeeper is not connected. " + agent.problem());
        }
        return link;
    }

    @Override
    public void close() {
        threads.close();
        CloseHelper.quietCloseAll(client, tls);
    }

    /** The lists of znodes that Curator makes. */
    private record Lists(Access access) implements ACLProvider {
        @Override
        public List<ACL> getDefaultAcl() {
            return access.of("");
        }

        @Override
        public List<ACL> getAclForPath(String path) {
            return access.of(path);
        }
    }

    /** For tests that break things. */
    SessionAgent agent() {
        return agent;
    }

    private ZooKeeper zooKeeper() {
        try {
            return client.getZookeeperClient().getZooKeeper();
        } catch (Exception e) {
            throw new ChimeraException(Category.WARN, "The ZooKeeper client is not to be had; it is tried again", e);
        }
    }
}
