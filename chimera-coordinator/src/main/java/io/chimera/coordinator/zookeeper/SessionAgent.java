package io.chimera.coordinator.zookeeper;

import io.chimera.common.agent.Clock;
import io.chimera.common.agent.Wakeup;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns this process's copy of the cluster's znodes and all wanted changes to them. ZooKeeper's callbacks only queue
 * work; this agent runs the work, builds the view, and lets each {@link ZnodeReconciler} perform its next step. Runs on
 * its own thread.
 */
final class SessionAgent implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(SessionAgent.class);
    private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Retry interval of a node without access: only an operator restores the access. */
    private static final long DENIED_NS = TimeUnit.SECONDS.toNanos(5);

    /** Minimum age of a view per member when the next view follows: about the cost of a member in a view. */
    private static final long VIEW_NS = 20_000;

    /** The same when only positions of queue nodes have changed: they change all the time. */
    private static final long AGED_VIEW_NS = 10 * VIEW_NS;

    private final ZooKeeperSettings settings;
    private final Znodes znodes;
    private final Access access;
    private final Clock clock;
    private final Counters<ClusterCounter> counters;
    private final Mirror mirror;
    private final Supplier<TreeClient> client;
    private final List<ZnodeReconciler> reconcilers = new ArrayList<>();
    private final Watcher watcher = this::onWatch;
    private final OutageReport outage;

    /**
     * Queued work, drained in every turn. Bounded by this node's requests to ZooKeeper and by the changes in one
     * cluster.
     */
    private final ManyToOneConcurrentLinkedQueue<Runnable> work = new ManyToOneConcurrentLinkedQueue<>();

    private final List<Runnable> viewers = new CopyOnWriteArrayList<>();
    private final Wakeup wakeup = new Wakeup();

    private volatile ClusterView view = ClusterView.NONE;
    private volatile ZooKeeperLink live;
    private volatile Mirror.Leader leader = Mirror.Leader.NONE;
    private LinkState state = LinkState.DOWN;

    /** The newest link; null while {@link LinkState#DOWN}, {@link LinkState#RETRYING} or {@link LinkState#STOPPED}. */
    private ZooKeeperLink link;

    private int links;
    private long publishedNs;
    private long relinkAtNs;

    /**
     * Creates an agent without a connection.
     *
     * @param probe starts a probe of the servers, and passes the found defects to its argument on any thread
     */
    SessionAgent(
            ZooKeeperSettings settings,
            Access access,
            Clock clock,
            Counters<ClusterCounter> counters,
            Supplier<TreeClient> client,
            Consumer<Consumer<String>> probe) {
        this.access = access;
        this.settings = settings;
        this.clock = clock;
        this.counters = counters;
        this.client = client;
        znodes = new Znodes(settings);
        mirror = new Mirror(znodes, counters);
        outage = new OutageReport(settings, clock, found -> probe.accept(text -> post(() -> found.accept(text))));
    }

    /** Returns the newest view. Any thread. */
    ClusterView view() {
        return view;
    }

    /** Returns the link after the copy was read completely over it; null if none. Any thread. */
    ZooKeeperLink live() {
        return live;
    }

    /** Returns the conductor. Any thread. */
    Mirror.Leader leader() {
        return leader;
    }

    /**
     * Returns why this node is not connected; empty when it is, or has lost the connection only just now. Any thread.
     */
    String problem() {
        return outage.problem();
    }

    Znodes znodes() {
        return znodes;
    }

    /** Queues work. Any thread. */
    void post(Runnable task) {
        work.offer(task);
        wake();
    }

    void wake() {
        wakeup.wake();
    }

    Wakeup wakeup() {
        return wakeup;
    }

    /** Adds a listener that runs after each turn that may have changed the view or the conductor. Any thread. */
    void onView(Runnable viewer) {
        viewers.add(viewer);
    }

    void add(ZnodeReconciler reconciler) {
        post(() -> reconcilers.add(reconciler));
    }

    /** Copies the whole tree, as coordinators need. Any thread. */
    void seeAll() {
        post(() -> {
            mirror.scope(ViewScope.COORDINATOR);
            if (link != null) {
                retryAfter(0);
            }
        });
    }

    /** Reads a znode written by the own process. Used by the agent's thread only. */
    void readOwn(String path) {
        mirror.readOwn(path);
    }

    /** Stores an accepted announcement of this process. Used by the agent's thread only. */
    void announced(String path, byte[] data) {
        mirror.announced(path, data);
    }

    void onReply(int linkNumber, Runnable task) {
        post(() -> {
            if (link != null && link.number() == linkNumber) {
                task.run();
            }
        });
    }

    void onState(ConnectionState connection) {
        post(() -> {
            if (state == LinkState.STOPPED) {
                return;
            }
            if (connection.isConnected()) {
                linkUp();
            } else {
                linkDown(LinkState.DOWN);
            }
        });
    }

    @Override
    public String roleName() {
        return "zookeeper";
    }

    @Override
    public int doWork() {
        int done = work();
        if (done > 0) {
            viewers.forEach(Runnable::run);
        }
        return done;
    }

    private int work() {
        int done = 0;
        for (Runnable task = work.poll(); task != null; task = work.poll()) {
            task.run();
            done++;
        }
        long nowNs = clock.nanoTime();
        if (state == LinkState.LIVE) {
            return done + whileLive(nowNs);
        }
        if (state != LinkState.STOPPED) {
            whileNotLive(nowNs);
        }
        return done;
    }

    private int whileLive(long nowNs) {
        if (mirror.isFailed()) {
            retryAfter(AGAIN_NS);
            return 1;
        }
        int done = 0;
        done += mirror.refresh(nowNs);
        if (mirror.isDirty() || mirror.isAged()) {
            done += publishWhenDue(nowNs);
        }
        for (ZnodeReconciler reconciler : reconcilers) {
            done += reconciler.reconcile(link, view, nowNs);
        }
        return done;
    }

    /**
     * Builds a view unless the newest view is too young: a view costs time for each member, and a member gets many
     * small changes at a time.
     */
    private int publishWhenDue(long nowNs) {
        long paceNs = mirror.members() * (mirror.isDirty() ? VIEW_NS : AGED_VIEW_NS);
        long waitNs = publishedNs + paceNs - nowNs;
        if (waitNs > 0) {
            wakeup.sleepAtMost(waitNs);
            return 0;
        }
        publish();
        return 1;
    }

    private void publish() {
        publishedNs = clock.nanoTime();
        ClusterView next = mirror.view(view.revision() + 1);
        leader = mirror.leader();
        outage.end(mirror.defect());
        if (!next.equals(view.connected(view.connected()))) {
            view = next;
            counters.increment(ClusterCounter.VIEWS);
        }
    }

    private void linkUp() {
        retryAfter(AGAIN_NS); // in case the client is not available
        link = new ZooKeeperLink(++links, client.get(), znodes, access, this);
        state = LinkState.CHECKING;
        new Bootstrap(link, this::onBootstrap).start();
    }

    private void onBootstrap(Bootstrap bootstrap, Bootstrap.Outcome outcome) {
        switch (outcome) {
            case READY -> readAll();
            case FAILED -> {
                Code refusal = bootstrap.failure();
                outage.refused(refusal);
                retryAfter(refusal == Code.NOAUTH || refusal == Code.AUTHFAILED ? DENIED_NS : AGAIN_NS);
            }
            case LOCKED -> {
                outage.known(
                        znodes.base() + " in ZooKeeper requires the cluster's secret. Set coordinator.secret"
                                + " to the value of the other nodes.",
                        DENIED_NS);
                retryAfter(DENIED_NS);
            }
            case FOREIGN ->
                stop(znodes.version() + " in ZooKeeper says " + bootstrap.found()
                        + ", this release speaks protocol " + ZnodeCodec.PROTOCOL
                        + ". Run one release in the whole cluster, or set another coordinator.cluster here.");
        }
    }

    private void stop(String problem) {
        linkDown(LinkState.STOPPED);
        outage.stop(problem);
        throw new ChimeraException(Category.FATAL, problem);
    }

    private void readAll() {
        state = LinkState.READING;
        ZooKeeperLink current = link;
        mirror.scope().watches(znodes).forEach(watched -> watch(current, watched));
        mirror.readAll(link, this::onWhole);
    }

    private void watch(ZooKeeperLink over, ViewScope.Watched watched) {
        over.client()
                .addWatch(
                        watched.path(),
                        watched.mode(),
                        watcher,
                        (rc, path, context) -> over.reply(() -> {
                            if (rc != Code.OK.intValue()) {
                                retryAfter(AGAIN_NS);
                            }
                        }));
    }

    private void onWhole() {
        live = link;
        state = LinkState.LIVE;
        counters.increment(ClusterCounter.CONNECTIONS);
        LOG.info("Connected to ZooKeeper at {}, cluster {}.", settings.connect(), znodes.base());
        publish();
    }

    private void onWatch(WatchedEvent event) {
        if (event.getType() != Watcher.Event.EventType.None && event.getPath() != null) {
            post(() -> {
                if (event.getPath().equals(znodes.base())) {
                    readAccess();
                }
                if (link != null) {
                    mirror.onChange(event.getType(), event.getPath());
                    reconcilers.forEach(reconciler -> reconciler.onChange(link, event.getPath()));
                }
            });
        }
    }

    /** Reads the base znode again after the tree was secured: from now on this node creates znodes for nodes only. */
    private void readAccess() {
        if (link != null) {
            link.read(znodes.base(), (code, data, stat) -> {
                if (code == Code.OK) {
                    access.read(data);
                }
            });
        }
    }

    /** Drops the link; pending replies will not arrive. */
    private void linkDown(LinkState next) {
        if (state == LinkState.LIVE) {
            outage.begin();
            counters.increment(ClusterCounter.DISCONNECTIONS);
        }
        state = next;
        live = null;
        link = null;
        mirror.onLinkBroken();
        reconcilers.forEach(ZnodeReconciler::onLinkBroken);
        if (view.connected()) {
            view = view.connected(false);
        }
    }

    private void retryAfter(long delayNs) {
        linkDown(LinkState.RETRYING);
        relinkAtNs = clock.nanoTime() + delayNs;
    }

    private void whileNotLive(long nowNs) {
        if (state == LinkState.READING && mirror.isFailed()) {
            retryAfter(AGAIN_NS);
        }
        if (state == LinkState.RETRYING && nowNs - relinkAtNs >= 0) {
            linkUp();
        }
        outage.look(nowNs);
    }
}
