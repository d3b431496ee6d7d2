package io.chimera.node.launch;

import io.chimera.common.access.AccessControl;
import io.chimera.common.access.AuditLog;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.netty.ChannelThreads;
import io.chimera.common.channel.netty.NettyListeners;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.NodeConfig.Role;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ErrorLog;
import io.chimera.common.metrics.AccessCounter;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.JvmGauge;
import io.chimera.common.metrics.Metrics;
import io.chimera.common.metrics.PluginCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.plugin.PluginRegistry;
import io.chimera.node.ExitCode;
import io.chimera.node.NodeNames;
import io.chimera.node.http.NodeFace;
import io.chimera.node.http.NodeHttp;
import io.chimera.node.launch.Launcher.RunningNode;
import io.chimera.node.plugin.PluginHosts;
import io.chimera.node.security.AccessWatch;
import io.chimera.node.security.Certificates;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Process with one node, or with several nodes of different roles. The main thread starts the nodes, waits for a reason
 * to stop (a signal, a fatal error, the end of the parent), and closes everything in reverse order.
 */
final class NodeProcess {
    private static final Logger LOG = LoggerFactory.getLogger(NodeProcess.class);

    /** Poll interval for the end of a drain. */
    private static final long LOOK_MS = 50;

    /** Time limit for an orderly close; afterwards the process ends without it. */
    private static final long CLOSE_SECONDS_MAX = 20;

    /** Time limit for the close of a failed process, whose threads may be gone. */
    private static final long FAILED_CLOSE_SECONDS_MAX = 60;

    private final ChimeraConfig config;
    private final PluginRegistry registry;
    private final Map<Role, Launcher> launchers;
    private final Supplier<ChimeraConfig> reader;
    private final BooleanSupplier isJvmStopping;
    private final CountDownLatch stopAsked = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Clock clock = new SystemClock();
    private final ErrorLog errors = new ErrorLog(clock, fatal -> stop("a fatal error", true));
    private final Opened opened = new Opened(errors);
    private final List<RunningNode> nodes = new CopyOnWriteArrayList<>();
    private volatile boolean drainAsked;
    private volatile Optional<Long> drainUntilNs = Optional.empty();
    private volatile Endpoint address;
    private volatile boolean failed;
    private volatile boolean isStarted;

    /**
     * Creates a process without starting it.
     *
     * @param reader reads the configuration, now and on every reload
     * @param registry the process's plugins
     * @param launchers launchers by role
     */
    NodeProcess(
            ChimeraConfig config,
            Supplier<ChimeraConfig> reader,
            PluginRegistry registry,
            Map<Role, Launcher> launchers) {
        this(config, reader, registry, launchers, NodeProcess::isJvmStopping);
    }

    /**
     * Creates a process of a JVM that may be stopping.
     *
     * @param isJvmStopping returns whether the JVM stops, possibly before the shutdown hook of this process runs
     */
    NodeProcess(
            ChimeraConfig config,
            Supplier<ChimeraConfig> reader,
            PluginRegistry registry,
            Map<Role, Launcher> launchers,
            BooleanSupplier isJvmStopping) {
        this.isJvmStopping = isJvmStopping;
        this.reader = reader;
        this.config = config;
        this.registry = registry;
        this.launchers = launchers;
    }

    /**
     * Runs until a stop request.
     *
     * @return the exit code
     * @throws io.chimera.common.error.ChimeraException when the process cannot start
     */
    int run() throws InterruptedException {
        Thread hook = new Thread(this::stopOnSignal, "shutdown");
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.info("Stopped by a signal before the start.");
            return 0;
        }
        Thread limit = new Thread(this::endWhenCloseHangs, "close-limit"); // now, because a heap may be full later
        limit.setDaemon(true);
        limit.start();
        try {
            start();
            isStarted = true;
            stopOnErrorsOfTheJvm();
            awaitEnd();
        } catch (RuntimeException | LinkageError e) {
            if (isStarted || failed || !(isStopAsked() || isJvmStopping.getAsBoolean())) {
                throw e;
            }
            // During its shutdown the JVM refuses new hooks, also hooks that a library's class registers when it loads.
            LOG.warn("Start aborted by a signal.");
            LOG.debug("Failure of the aborted start.", e);
        } finally {
            opened.close();
            LOG.info("Stopped.");
            closed.countDown();
            removeHook(hook);
        }
        return failed ? ExitCode.FAILED : 0;
    }

    private void start() {
        String host = NodeNames.host(config);
        ChannelThreads channels =
                opened.add(new ChannelThreads(NodeNames.id(config, config.node().role(), host)));
        Counters<ChannelCounter> httpCounters = new Counters<>(ChannelCounter.class);
        Certificates certificates = opened.add(
                new Certificates(config, NodeNames.id(config, config.node().role(), host), clock, errors));
        for (Role role : config.node().role().nodes()) {
            certificates.checkIdentity(role, NodeNames.id(config, role, host));
        }
        NettyListeners listeners = opened.add(new NettyListeners(channels, httpCounters, errors, certificates.http()));
        Counters<AccessCounter> accessCounters = new Counters<>(AccessCounter.class);
        AuditLog audit = opened.add(new AuditLog(config.node().dataDir(), clock, accessCounters));
        AccessControl access = new AccessControl(config.node().tokens(), clock, accessCounters, audit)
                .ofCluster(config.coordinator().cluster())
                .ofHosts(hosts(host));
        opened.add(new AccessWatch(access));
        access.record(new AuditLog.Entry("", "", "start", "config " + config.digest(), false, "ok"));
        NodeHttp http = opened.add(new NodeHttp(access));
        address = http.listen(listeners, config.node().http());
        SecureRandom random = new SecureRandom();
        http.take("drain", parameters -> drain("true".equals(parameters.apply("remove"))));
        Reload reload = new Reload(config, registry, reader);
        http.warn(() -> warnings(reload, certificates, access));
        http.take("reload", parameters -> reload.run(nodes));
        HangupSignal.handle(() -> onHangup(reload, access));
        List<NodeFace> faces = new ArrayList<>();
        for (Role role : config.node().role().nodes()) {
            if (isStopAsked()) {
                return; // never ready; the running nodes are closed
            }
            Metrics metrics = new Metrics(NodeNames.id(config, role, host));
            metrics.register("node", errors.counters());
            metrics.register("node_http", httpCounters);
            metrics.register("access", accessCounters);
            JvmGauge.registerAll(metrics);
            certificates.register(metrics);
            PluginHosts plugins = opened.add(hosts(metrics));
            faces.add(launch(new NodeContext(
                    role,
                    config,
                    metrics.node(),
                    host,
                    announced(host, address),
                    () -> nonZero(random),
                    clock,
                    errors,
                    metrics,
                    plugins,
                    channels,
                    certificates,
                    access)));
        }
        // the process is ready only while all nodes run: not before the last start, not after the first close
        faces.forEach(face -> face.pages().forEach(http::serve));
        faces.forEach(http::show);
        opened.add(() -> faces.forEach(http::hide));
    }

    private static List<String> warnings(Reload reload, Certificates certificates, AccessControl access) {
        List<String> warnings = new ArrayList<>(reload.refusal());
        warnings.addAll(certificates.warnings());
        warnings.addAll(access.warnings());
        return warnings;
    }

    /** Creates the plugins of a node. A reloaded plugin continues the counters of its predecessor. */
    private PluginHosts hosts(Metrics metrics) {
        Map<String, Counters<PluginCounter>> counters = new ConcurrentHashMap<>();
        Function<String, Counters<PluginCounter>> counting =
                component -> counters.computeIfAbsent(component, unseen -> {
                    Counters<PluginCounter> made = new Counters<>(PluginCounter.class);
                    metrics.register(unseen, made);
                    return made;
                });
        return new PluginHosts(registry, plugins -> new PluginHost(plugins, config.plugins(), clock, errors, counting));
    }

    private void onHangup(Reload reload, AccessControl access) {
        try {
            LOG.info("SIGHUP: {}", reload.run(nodes));
            access.record(new AuditLog.Entry("", "", "reload", "SIGHUP", false, "ok"));
        } catch (ChimeraException e) {
            access.record(new AuditLog.Entry("", "", "reload", "SIGHUP", false, "refused: " + e.getMessage()));
            LOG.error("SIGHUP: {}", e.getMessage());
        }
    }

    private NodeFace launch(NodeContext context) {
        RunningNode node = opened.add(launchers.get(context.role()).launch(context));
        nodes.add(node);
        LOG.info(
                "Started node: id={} role={} http={}://{}",
                context.id(),
                NodeNames.role(context.role()),
                config.node().tls() == null ? "http" : "https",
                context.http());
        return node.face();
    }

    private void awaitEnd() throws InterruptedException {
        NodeDrain departure = new NodeDrain(clock, nodes);
        while (!stopAsked.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
            if (drainAsked && departure.isOver(drainUntilNs)) {
                return;
            }
        }
    }

    /**
     * Starts to leave the cluster in order, without a time limit, and stops afterwards. Any thread.
     *
     * @param forGood whether the cluster shall remove the nodes instead of waiting for their return
     * @return the current action as a sentence
     */
    String drain(boolean forGood) {
        nodes.forEach(node -> node.leave(forGood));
        if (!drainAsked) {
            LOG.info("Draining the node, then stopping.");
        }
        drainAsked = true;
        return "The node is draining. It stops once no open work depends on it.";
    }

    /** Requests a stop. Any thread. */
    void stop(String reason, boolean isFailure) {
        boolean isFirst = stopAsked.getCount() > 0;
        failed |= isFailure;
        stopAsked.countDown(); // before the log, which fails with a full heap
        if (isFirst) {
            LOG.info("Stopping because of {}.", reason);
        }
    }

    /**
     * Stops the process when an error of the JVM, such as a full heap, ends any thread: libraries would continue
     * without their thread, and the node would hang. The cluster repeats its work from the journals.
     */
    private void stopOnErrorsOfTheJvm() {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
            if (thrown instanceof VirtualMachineError) {
                stop("an error of the JVM", true);
            }
            if (before != null) {
                before.uncaughtException(thread, thrown);
            }
        });
        opened.add(() -> Thread.setDefaultUncaughtExceptionHandler(before));
    }

    /** Ends a failed process whose close does not end. */
    private void endWhenCloseHangs() {
        try {
            stopAsked.await();
            if (failed && !closed.await(FAILED_CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                Runtime.getRuntime().halt(ExitCode.FAILED);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (VirtualMachineError e) { // the wait itself found a full heap
            Runtime.getRuntime().halt(ExitCode.FAILED);
        }
    }

    private boolean isStopAsked() {
        return stopAsked.getCount() == 0;
    }

    /** Returns the address of the HTTP port; null before the start. */
    Endpoint address() {
        return address;
    }

    private void stopOnSignal() {
        Duration within = config.node().drainWithin();
        if (within.isZero() || !isStarted) {
            stop(isStarted ? "a signal" : "a signal during the start", false);
        } else {
            LOG.info("Stopping because of a signal.");
            drainUntilNs = NodeDrain.until(clock, within);
            drain(false);
        }
        long seconds = within.toSeconds() + CLOSE_SECONDS_MAX;
        try {
            if (!closed.await(seconds, TimeUnit.SECONDS)) {
                LOG.warn("Close timeout exceeded, ending the process: seconds={}", seconds);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether the JVM stops: it then refuses hooks, before it runs the first one. */
    private static boolean isJvmStopping() {
        try {
            Thread probe = new Thread("shutdown-probe");
            Runtime.getRuntime().addShutdownHook(probe);
            Runtime.getRuntime().removeShutdownHook(probe);
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("The JVM is already shutting down.");
        }
    }

    /** Returns the host names of this node: its own, and the hosts of its configured ports. */
    private Set<String> hosts(String host) {
        Set<String> hosts = new HashSet<>(Set.of(host));
        config.listeners().forEach(listening -> hosts.add(listening.address().host()));
        return hosts;
    }

    /** Returns the address for other nodes, with the host name in place of a wildcard. */
    private static String announced(String host, Endpoint listening) {
        boolean wildcard =
                listening.host().equals("0.0.0.0") || listening.host().equals("::");
        return new Endpoint(wildcard ? host : listening.host(), listening.port()).toString();
    }

    private static long nonZero(SecureRandom random) {
        long id = random.nextLong();
        return id == 0 ? 1 : id;
    }
}
