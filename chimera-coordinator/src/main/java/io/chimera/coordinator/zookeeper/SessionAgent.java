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
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns this process's copy of the cluster's znodes and all wanted changes to them. ZooKeeper's callbacks only queue
 * work; this agent runs the work, builds the view, and lets each {@link ZnodeReconciler} perform its next step. Runs on
 * its own thread.
 */
final class SessionAgent implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(SessionAgent.class);
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long REMIND_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long PROBE_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Retry interval of a node without access: only an operator restores the access. */
    private static final long DENIED_NS = TimeUnit.SECONDS.toNanos(5);

    private static final String CAUSE_UNKNOWN = "The cause is not known yet: probing the servers.";

    private final ZooKeeperSettings settings;
    private final Znodes znodes;
    private final Access access;
    private final Clock clock;
    private final Counters<ClusterCounter> counters;
    private final Mirror mirror;
    private final Supplier<ZooKeeper> client;
    private final List<ZnodeReconciler> reconcilers = new ArrayList<>();
    private final Watcher watcher = this::onWatch;
    private final Consumer<Consumer<String>> probe;

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
    private volatile String problem = "";

    private ZooKeeperLink link;
    private int links;
    private boolean connected;
    private boolean stopped;
    private long relinkAtNs;
    private boolean relinks;
    private long silentSinceNs;
    private long remindAtNs;
    private boolean probing;
    private int silence;
    private long probeAtNs;
    private String cause = "";
    private Code refusal = Code.OK;

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
            Supplier<ZooKeeper> client,
            Consumer<Consumer<String>> probe) {
        this.access = access;
        this.settings = settings;
        this.clock = clock;
        this.counters = counters;
        this.client = client;
        this.probe = probe;
        znodes = new Znodes(settings);
        mirror = new Mirror(znodes, counters);
        beginSilence();
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
        return problem;
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

    void onReply(int linkNumber, Runnable task) {
        post(() -> {
            if (link != null && link.number() == linkNumber) {
                task.run();
            }
        });
    }

    void onState(ConnectionState state) {
        post(() -> {
            connected = state.isConnected();
            if (connected) {
                linkUp();
            } else {
                linkDown();
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
        if (stopped) {
            return done;
        }
        long nowNs = clock.nanoTime();
        if (live == null) {
            whileNotLive(nowNs);
            return done;
        }
        if (mirror.isFailed()) {
            linkDown();
            linkUpSoon();
            return done + 1;
        }
        if (mirror.isDirty()) {
            publish();
            done++;
        }
        for (ZnodeReconciler reconciler : reconcilers) {
            done += reconciler.reconcile(link, view, nowNs);
        }
        return done;
    }

    private void publish() {
        ClusterView next = mirror.view(view.revision() + 1);
        leader = mirror.leader();
        problem = mirror.defect();
        if (!next.equals(view.connected(view.connected()))) {
            view = next;
            counters.increment(ClusterCounter.VIEWS);
        }
    }

    private void linkUp() {
        if (stopped) {
            return;
        }
        linkDown();
        relinks = false;
        link = new ZooKeeperLink(++links, client.get(), znodes, access, this);
        new Bootstrap(link, this::onBootstrap).start();
    }

    private void onBootstrap(Bootstrap bootstrap, Bootstrap.Outcome outcome) {
        switch (outcome) {
            case READY -> readAll();
            case FAILED -> {
                refusal = bootstrap.failure();
                linkUpAfter(refusal == Code.NOAUTH || refusal == Code.AUTHFAILED ? DENIED_NS : AGAIN_NS);
            }
            case LOCKED -> {
                remind(znodes.base() + " in ZooKeeper requires the cluster's secret. Set coordinator.secret"
                        + " to the value of the other nodes.");
                silence++; // the cause is known: the result of a running probe is obsolete
                probeAtNs = clock.nanoTime() + DENIED_NS + PROBE_NS;
                linkUpAfter(DENIED_NS);
            }
            case FOREIGN -> {
                stopped = true;
                linkDown();
                problem = znodes.version() + " in ZooKeeper says " + bootstrap.found()
                        + ", this release speaks protocol "
                        + ZnodeCodec.PROTOCOL + ". Run one release in the whole cluster, or set another"
                        + " coordinator.cluster here.";
                throw new ChimeraException(Category.FATAL, problem);
            }
        }
    }

    private void readAll() {
        link.zooKeeper()
                .addWatch(
                        znodes.base(),
                        watcher,
                        AddWatchMode.PERSISTENT_RECURSIVE,
                        (rc, path, context) -> link.reply(() -> {
                            if (rc != Code.OK.intValue()) {
                                linkUpSoon();
                            }
                        }),
                        null);
        mirror.readAll(link, this::onWhole);
    }

    private void onWhole() {
        live = link;
        problem = "";
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
                    mirror.onChange(event.getPath());
                    reconcilers.forEach(reconciler -> reconciler.onChange(link, event.getPath()));
                }
            });
        }
    }

    /** Sets the reason for the missing connection, and logs each new reason. */
    private void remind(String reason) {
        if (!problem.equals(reason)) {
            LOG.error(reason);
        }
        problem = reason;
        remindAtNs = clock.nanoTime() + REMIND_NS;
    }

    /** Reads the base znode again after the tree was secured: from now on this node creates znodes for nodes only. */
    private void readAccess() {
        ZooKeeperLink current = link;
        if (current != null) {
            current.zooKeeper()
                    .getData(
                            znodes.base(),
                            false,
                            (rc, path, context, data, stat) -> current.reply(() -> {
                                if (rc == Code.OK.intValue()) {
                                    access.read(data);
                                }
                            }),
                            null);
        }
    }

    private void linkDown() {
        if (live != null) {
            beginSilence();
            counters.increment(ClusterCounter.DISCONNECTIONS);
        }
        live = null;
        link = null;
        mirror.onLinkBroken();
        reconcilers.forEach(ZnodeReconciler::onLinkBroken);
        if (view.connected()) {
            view = view.connected(false);
        }
    }

    private void linkUpSoon() {
        linkUpAfter(AGAIN_NS);
    }

    private void linkUpAfter(long delayNs) {
        relinks = true;
        relinkAtNs = clock.nanoTime() + delayNs;
    }

    private void whileNotLive(long nowNs) {
        if (link != null && mirror.isFailed() && !relinks) {
            linkUpSoon();
        }
        if (connected && relinks && nowNs - relinkAtNs >= 0) {
            linkUp();
        }
        if (nowNs - probeAtNs < 0) {
            return;
        }
        if (cause.isEmpty()) {
            report(CAUSE_UNKNOWN, nowNs); // a probe takes seconds
        }
        if (!probing) {
            probeAtNs = nowNs + PROBE_NS;
            int number = silence;
            probe.accept(found -> post(() -> onProbed(number, found)));
            probing = true;
        }
    }

    private void beginSilence() {
        silence++;
        silentSinceNs = clock.nanoTime();
        probeAtNs = silentSinceNs + SILENCE_NS;
        remindAtNs = probeAtNs;
        cause = "";
        refusal = Code.OK;
    }

    private void onProbed(int number, String found) {
        probing = false;
        if (live != null || stopped || number != silence) {
            return; // the cause was found in the meantime, or the connection was restored
        }
        long nowNs = clock.nanoTime();
        probeAtNs = nowNs + PROBE_NS;
        report(found.isEmpty() ? withoutDefect() : found, nowNs);
    }

    /** Sets and logs the reason for the missing connection: at once for a new cause, otherwise once a minute. */
    private void report(String newCause, long nowNs) {
        boolean isNew = !newCause.equals(cause);
        cause = newCause;
        problem = "No connection to ZooKeeper at " + settings.connect() + " for "
                + TimeUnit.NANOSECONDS.toSeconds(nowNs - silentSinceNs) + " s; this node waits for it. " + cause;
        if (isNew || nowNs - remindAtNs >= 0) {
            remindAtNs = nowNs + REMIND_NS;
            LOG.warn(problem);
        }
    }

    /**
     * Returns the reason when all servers answer: either the servers refuse this node, or the connection is about to be
     * ready.
     */
    private String withoutDefect() {
        return switch (refusal) {
            case OK, CONNECTIONLOSS, SESSIONEXPIRED, OPERATIONTIMEOUT ->
                "The server answers; see its log if this lasts.";
            case NOAUTH, AUTHFAILED, SESSIONCLOSEDREQUIRESASLAUTH ->
                "Authentication failed (" + refusal + "): set coordinator.secret, or permit this node at the server.";
            default -> "The server refuses requests (" + refusal + "); see its log.";
        };
    }
}
