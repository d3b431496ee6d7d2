package io.chimera.coordinator.zookeeper;

import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.CycleStore;
import io.chimera.common.cluster.JournalLosses;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.zookeeper.znode.MalformedZnodeException;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
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
 * A process's connection to its cluster in ZooKeeper, restored automatically for the life of the process.
 * docs/protocol.md describes the znodes. Any thread.
 */
public final class ZooKeeperSession implements AutoCloseable {
    private static final int CONNECTION_TIMEOUT_MS = 3_000;
    private static final int RETRY_MS_MIN = 50;
    private static final int RETRY_MS_MAX = 1_000;
    private static final int ANY_VERSION = -1;

    private final Access access;
    private final ZooKeeperTls tls;
    private final CuratorFramework client;
    private final SessionAgent agent;
    private final AgentThreads threads;
    private final Counters<ClusterCounter> counters;
    private final Committer committer;
    private final Cluster cluster;
    private final List<ZooKeeperCluster> clusters = new CopyOnWriteArrayList<>();

    /**
     * Starts to connect, and returns at once.
     *
     * @param settings name and servers of the cluster
     * @param nodeName part of the thread names
     * @param clock source of retry times
     * @param counters of this node
     * @param errors receives defects, and a FATAL {@link ChimeraException} when this process cannot belong to the
     *     cluster
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
                // Retry policy of the election; all other requests go to ZooKeeper directly and have their own
                // retries.
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
        agent = new SessionAgent(
                settings,
                access,
                clock,
                counters,
                () -> new ServerClient(zooKeeper()),
                new ServerProbe(settings)::start);
        this.access = access;
        this.counters = counters;
        committer = new Committer(agent, counters);
        agent.add(committer);
        cluster = openCluster();
        client.getConnectionStateListenable().addListener((from, state) -> agent.onState(state));
        threads = new AgentThreads(nodeName, errors);
        threads.startControl(agent, agent.wakeup());
        client.start();
    }

    /** Returns this process's access to the cluster as a node. */
    public Cluster cluster() {
        return cluster;
    }

    /**
     * Opens an access to the cluster for a further node or lane of this process. All members of the process share the
     * session with ZooKeeper, so the cluster loses the members of a dead process in one step.
     */
    public Cluster openCluster() {
        ZooKeeperCluster opened = new ZooKeeperCluster(agent, committer, counters);
        clusters.add(opened);
        return opened;
    }

    /** Returns this process's access to the cluster as a coordinator, and joins the election. */
    public CycleStore conductorship(String id) {
        ZooKeeperSettings.checkName("coordinator", id);
        Election election =
                new Election(new Candidacy.OfLatch(client, agent.znodes().conductor(), id), id);
        agent.add(election);
        agent.seeAll();
        return new ZooKeeperConductorship(agent, election);
    }

    /** Opens the folder of the tree for records of jobs over data sets. */
    public SharedFolder datasets() {
        return new SharedFolder(this, agent, Znodes.DATASETS);
    }

    /** Adds a listener for changes of the view or the conductor. The listener must not block. */
    public void onView(Runnable listener) {
        agent.onView(listener);
    }

    /** Returns the newest view. */
    public ClusterView view() {
        return agent.view();
    }

    /** Returns the id of the coordinator that leads or led last; empty before the first term. */
    public String conductor() {
        return agent.leader().id();
    }

    /** Returns the epoch of the newest conductor. */
    public long epoch() {
        return agent.leader().epoch();
    }

    /** Returns why this process has no part in the cluster now, for the operator; empty when there is no problem. */
    public Optional<String> problem() {
        return Optional.of(agent.problem())
                .filter(problem -> !problem.isEmpty())
                .or(() -> clusters.stream()
                        .flatMap(member -> member.refusal().stream())
                        .findFirst());
    }

    /** Returns which other processes claim an id of this process, for the operator. */
    public List<String> warnings() {
        return clusters.stream().flatMap(member -> member.claims().stream()).toList();
    }

    /**
     * Removes queue nodes that are permanently lost from their groups, all in one transaction: the cluster no longer
     * waits for their journals. A removed node may return only with an empty journal. Blocks until ZooKeeper answers.
     *
     * @param queueNodes ids of a node and its lanes; ids that are not registered are left out
     * @param seen losses in the view that permits the removal
     * @return false when none of the nodes was registered
     * @throws ChimeraException when a group has lost another journal since, a node has returned, or the request failed
     */
    public boolean unregister(Collection<String> queueNodes, JournalLosses seen) {
        return unregistered(String.join(", ", queueNodes), seen, transaction -> {
            for (String id : queueNodes) {
                ZooKeeperSettings.checkName("queue node", id);
                transaction.addDead(id);
            }
        });
    }

    /**
     * Removes a drained queue node or lane of this process from its group. Blocks until ZooKeeper answers.
     *
     * @param session session of the node, which must still hold the id
     * @param seen losses in the view that permits the removal
     * @return false when the node was not registered
     * @throws ChimeraException when the group has lost another journal since, another process has the id, or the
     *     request failed; retry
     */
    public boolean unregisterDrained(String queueNode, long session, JournalLosses seen) {
        ZooKeeperSettings.checkName("queue node", queueNode);
        return unregistered(queueNode, seen, transaction -> transaction.addHeldBy(session, queueNode));
    }

    /** The removals of a transaction. */
    private interface Removals {
        void addTo(Deregistration transaction) throws KeeperException, InterruptedException, MalformedZnodeException;
    }

    private boolean unregistered(String nodes, JournalLosses seen, Removals removals) {
        ZooKeeperLink link = liveFor("Cannot remove queue node " + nodes);
        return requested("Removing queue node " + nodes, () -> {
            Deregistration transaction = new Deregistration(zooKeeper(), link, seen, view().groups());
            removals.addTo(transaction);
            return transaction.execute();
        });
    }

    /**
     * Removes an archive node from the known archive nodes: query answers no longer name the node while it is away.
     * Blocks until ZooKeeper answers.
     *
     * @return false when the node was not known
     */
    public boolean forgetArchive(String archiveNode) {
        ZooKeeperSettings.checkName("archive node", archiveNode);
        return delete("archive node " + archiveNode, link -> link.znodes().archiveNode(archiveNode));
    }

    /**
     * Requests a replay, which the conductor executes. Blocks until ZooKeeper answers.
     *
     * @throws ChimeraException when the request failed, with reason and remedy
     */
    public void requestReplay(ReplayRequest request) {
        if (view().replays().requests().values().stream()
                        .filter(open -> !open.isDone())
                        .count()
                >= ReplayRequest.REQUESTS_MAX) {
            throw new ChimeraException(
                    Category.ERROR,
                    ReplayRequest.REQUESTS_MAX + " replay requests are already waiting. Wait until some have run"
                            + " (chimera cluster status), or withdraw some (chimera replay --cancel).");
        }
        ZooKeeperLink link = liveFor("Replay " + request.id() + " cannot be requested");
        try {
            zooKeeper()
                    .create(
                            link.znodes().replay(request.id()),
                            ZnodeCodec.encode(request),
                            link.access().of(link.znodes().replay(request.id())),
                            CreateMode.PERSISTENT);
        } catch (KeeperException e) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Replay " + request.id() + " may not have been requested (" + e.code() + "); check"
                            + " chimera cluster status and retry if it is missing",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ChimeraException(Category.ERROR, "Interrupted while requesting replay " + request.id(), e);
        }
    }

    /**
     * Limits the access to the cluster's znodes to nodes with its secret. Blocks until the whole tree is done.
     *
     * @param isDryRun whether to only count the changes
     * @throws ChimeraException when securing is refused, with reason and remedy
     */
    public SecuredTree secure(boolean isDryRun) {
        ZooKeeperLink link = liveFor("The znodes cannot be secured");
        try {
            return new TreeLock(zooKeeper(), link.znodes(), access).run(isDryRun);
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
     * Withdraws a replay request; the conductor abandons its open replay cycle. Blocks until ZooKeeper answers.
     *
     * @return false when there is no request with this id
     */
    public boolean withdrawReplay(String id) {
        return delete("replay " + id, link -> link.znodes().replay(id));
    }

    /** Returns whether ZooKeeper answers and its tree was read, damaged or not. */
    public boolean isLive() {
        return agent.live() != null;
    }

    /**
     * Returns direct access to the tree, for a rebuild by an operator.
     *
     * @throws ChimeraException when ZooKeeper is not connected
     */
    public TreeRecovery recovery() {
        return new TreeRecovery(zooKeeper(), liveFor("The tree cannot be recovered"));
    }

    private boolean delete(String what, Function<ZooKeeperLink, String> path) {
        ZooKeeperLink link = liveFor("Cannot remove " + what);
        return requested("Removing " + what, () -> {
            zooKeeper().delete(path.apply(link), ANY_VERSION);
            return true;
        });
    }

    /** A removal that blocks. */
    private interface Request {
        boolean send() throws KeeperException, InterruptedException, MalformedZnodeException;
    }

    /** Sends a removal; false when nothing was removed, because its znode does not exist. */
    private static boolean requested(String what, Request request) {
        try {
            return request.send();
        } catch (KeeperException.NoNodeException e) {
            return false;
        } catch (KeeperException | MalformedZnodeException e) {
            throw new ChimeraException(Category.ERROR, what + " failed (" + e.getMessage() + "); retry", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ChimeraException(Category.ERROR, what + " was interrupted", e);
        }
    }

    private ZooKeeperLink liveFor(String failure) {
        ZooKeeperLink link = agent.live();
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

    /** Access lists of the znodes created by Curator. */
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

    /** Returns the agent for tests that break the connection. */
    SessionAgent agent() {
        return agent;
    }

    /** Returns the client for blocking requests of operators. */
    ZooKeeper zooKeeper() {
        try {
            return client.getZookeeperClient().getZooKeeper();
        } catch (Exception e) {
            throw new ChimeraException(Category.WARN, "The ZooKeeper client is not available; retrying", e);
        }
    }
}
