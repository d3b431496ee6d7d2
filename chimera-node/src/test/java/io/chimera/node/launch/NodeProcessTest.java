package io.chimera.node.launch;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.chimera.common.agent.Waits;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.NodeConfig.Role;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.plugin.PluginRegistry;
import io.chimera.node.NodeNames;
import io.chimera.node.http.NodeFace;
import io.chimera.node.http.PastCycles;
import io.chimera.node.launch.Launcher.RunningNode;
import io.chimera.node.watch.NodeClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class NodeProcessTest {
    private final List<String> happened = new CopyOnWriteArrayList<>();
    private volatile Optional<String> awaited = Optional.empty();
    private volatile NodeContext lastContext;

    @Test
    void startsAllRolesAndClosesThemInTheOppositeOrder() throws Exception {
        NodeProcess process = process("all");
        CompletableFuture<Integer> running = run(process);
        await().until(() -> happened.size() == 3);

        process.stop("a test", false);

        assertThat(running.get(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isZero();
        assertThat(happened)
                .containsExactly(
                        "start coordinator n1-coordinator",
                        "start queue n1-queue",
                        "start processor n1-processor",
                        "close processor",
                        "close queue",
                        "close coordinator");
    }

    @Test
    void startsAQueueNodeWithACoordinatorInOneProcess() throws Exception {
        NodeProcess process = process("queue_coordinator");
        CompletableFuture<Integer> running = run(process);
        await().until(() -> happened.size() == 2);

        assertThat(lastContext.dataDir().getFileName()).hasToString("queue");
        process.stop("a test", false);

        assertThat(running.get(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isZero();
        assertThat(happened)
                .containsExactly(
                        "start coordinator n1-coordinator", "start queue n1-queue", "close queue", "close coordinator");
    }

    @Test
    void givesTheNodeItsNameAndTheAddressThatOthersReach() throws Exception {
        NodeProcess process = process("queue");
        CompletableFuture<Integer> running = run(process);
        await().until(() -> lastContext != null && process.address() != null);

        assertThat(lastContext.id()).isEqualTo("n1");
        assertThat(lastContext.http())
                .isEqualTo("127.0.0.1:" + process.address().port());
        assertThat(lastContext.ids().getAsLong()).isNotEqualTo(lastContext.ids().getAsLong());

        process.stop("a test", false);
        running.get(Waits.SECONDS_MAX, TimeUnit.SECONDS);
    }

    @Test
    void isNotReadyBeforeAllOfItsNodesRun() throws Exception {
        NodeClient client = new NodeClient();
        AtomicReference<NodeProcess> process = new AtomicReference<>();
        AtomicBoolean readyTooSoon = new AtomicBoolean();
        Launcher looks = context -> {
            readyTooSoon.set(isReady(client, process.get()));
            return launcher().launch(context);
        };
        process.set(new NodeProcess(
                config("all"),
                () -> config("all"),
                PluginRegistry.ofClassPath(),
                Map.of(Role.COORDINATOR, launcher(), Role.QUEUE, launcher(), Role.PROCESSOR, looks)));
        CompletableFuture<Integer> running = run(process.get());

        await().until(() -> process.get().address() != null && isReady(client, process.get()));
        process.get().stop("a test", false);

        assertThat(running.get(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isZero();
        assertThat(readyTooSoon).isFalse();
    }

    @Test
    void aStopDuringTheStartEndsTheStartWithoutAnError() throws Exception {
        AtomicReference<NodeProcess> process = new AtomicReference<>();
        Launcher stops = context -> {
            Launcher.RunningNode node = launcher().launch(context);
            process.get().stop("a signal during the start", false);
            return node;
        };
        process.set(new NodeProcess(
                config("all"),
                () -> config("all"),
                PluginRegistry.ofClassPath(),
                Map.of(Role.COORDINATOR, stops, Role.QUEUE, launcher(), Role.PROCESSOR, launcher())));

        assertThat(run(process.get()).get(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isZero();

        assertThat(happened).containsExactly("start coordinator n1-coordinator", "close coordinator");
    }

    @Test
    void aStepThatFailsBecauseTheProcessStopsIsNoError() throws Exception {
        List<Supplier<Throwable>> failures = List.of(
                () -> new IllegalStateException("Shutdown in progress"),
                () -> new ExceptionInInitializerError(new IllegalStateException("Shutdown in progress")),
                () -> new NoClassDefFoundError("Could not initialize class Releaser"));
        for (Supplier<Throwable> failure : failures) {
            AtomicReference<NodeProcess> process = new AtomicReference<>();
            process.set(startingWith(context -> {
                process.get().stop("a signal during the start", false);
                throw unchecked(failure.get());
            }));

            assertThat(run(process.get()).get(Waits.SECONDS_MAX, TimeUnit.SECONDS))
                    .isZero();
        }
    }

    /** The JVM refuses hooks before it runs the hook that notes the signal. */
    @Test
    void aSignalBeforeTheHookOfTheProcessRunsAbortsTheStartWithALineOnly() throws Exception {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger log = (Logger) LoggerFactory.getLogger(NodeProcess.class);
        lines.start();
        log.addAppender(lines);
        try {
            NodeProcess process = new NodeProcess(
                    config("queue"),
                    () -> config("queue"),
                    PluginRegistry.ofClassPath(),
                    Map.of(Role.QUEUE, context -> {
                        throw new NoClassDefFoundError("Could not initialize class Releaser");
                    }),
                    () -> true);

            assertThat(run(process).get(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isZero();
        } finally {
            log.detachAppender(lines);
        }

        assertThat(lines.list)
                .filteredOn(line -> line.getLevel() == Level.WARN)
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.getFormattedMessage()).contains("Start aborted by a signal");
                    assertThat(line.getThrowableProxy()).isNull();
                });
    }

    @Test
    void aClassThatCannotBeLoadedIsAnErrorWhileTheProcessDoesNotStop() {
        NodeProcess process = startingWith(context -> {
            throw new ExceptionInInitializerError("broken");
        });

        assertThatThrownBy(process::run).isInstanceOf(ExceptionInInitializerError.class);
    }

    @Test
    void aStopDuringTheStartClosesTheRunningNodesInTheOppositeOrderWithoutDraining() throws Exception {
        AtomicReference<NodeProcess> process = new AtomicReference<>();
        Launcher fails = context -> {
            process.get().stop("a signal during the start", false);
            throw new ExceptionInInitializerError("Shutdown in progress");
        };
        process.set(new NodeProcess(
                config("all"),
                () -> config("all"),
                PluginRegistry.ofClassPath(),
                Map.of(Role.COORDINATOR, launcher(), Role.QUEUE, launcher(), Role.PROCESSOR, fails)));

        assertThat(run(process.get()).get(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isZero();

        assertThat(happened)
                .containsExactly(
                        "start coordinator n1-coordinator", "start queue n1-queue", "close queue", "close coordinator");
    }

    private static NodeProcess startingWith(Launcher queue) {
        return new NodeProcess(
                config("queue"), () -> config("queue"), PluginRegistry.ofClassPath(), Map.of(Role.QUEUE, queue));
    }

    private static RuntimeException unchecked(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return (RuntimeException) failure;
    }

    private static boolean isReady(NodeClient client, NodeProcess process) {
        try {
            return client.isReady(process.address().toString());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void stopsWhenNothingNamesItAnyMoreAfterItWasToldToLeave() throws Exception {
        NodeClient client = new NodeClient();
        awaited = Optional.of("cycle 7 to be committed");
        NodeProcess process = process("queue");
        CompletableFuture<Integer> running = run(process);
        await().until(() -> process.address() != null && isReady(client, process));

        assertThat(client.tell(process.address().toString(), "drain?remove=true"))
                .contains("draining");
        assertThat(happened).contains("leave queue for good");
        assertThat(running).isNotDone();

        awaited = Optional.empty();
        assertThat(running.get(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isZero();
        assertThat(happened).contains("close queue");
    }

    @Test
    void stopsWithExitCode1AfterAFatalError() throws Exception {
        NodeProcess process = process("queue");
        CompletableFuture<Integer> running = run(process);
        await().until(() -> lastContext != null);

        lastContext.errors().onError(new ChimeraException(Category.FATAL, "The disk is gone."));

        assertThat(running.get(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(happened).contains("close queue");
    }

    @Test
    void stopsWithExitCode1AfterAnErrorOfTheJvmInAnyThread() throws Exception {
        CompletableFuture<Integer> running = run(process("queue"));

        await().dontCatchUncaughtExceptions().until(() -> {
            Thread failing = new Thread(() -> {
                throw new OutOfMemoryError("of the test");
            });
            failing.start();
            failing.join();
            return running.isDone(); // the first errors may precede the end of the start
        });

        assertThat(running.get()).isEqualTo(1);
        assertThat(happened).contains("close queue");
    }

    @Test
    void goesOnAfterAnErrorThatIsNotFatal() throws Exception {
        NodeProcess process = process("queue");
        CompletableFuture<Integer> running = run(process);
        await().until(() -> lastContext != null);

        lastContext.errors().onError(new ChimeraException(Category.ERROR, "The store refuses."));

        assertThat(running).isNotDone();
        process.stop("a test", false);
        assertThat(running.get(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void closesWhatWasOpenedWhenANodeCannotStart() {
        Launcher fails = context -> {
            throw new ChimeraException(Category.FATAL, "The port is taken.");
        };
        NodeProcess process = new NodeProcess(
                config("all"),
                () -> config("all"),
                PluginRegistry.ofClassPath(),
                Map.of(Role.COORDINATOR, launcher(), Role.QUEUE, fails, Role.PROCESSOR, launcher()));

        assertThatThrownBy(process::run).hasMessage("The port is taken.");
        assertThat(happened).containsExactly("start coordinator n1-coordinator", "close coordinator");
    }

    private NodeProcess process(String role) {
        return new NodeProcess(
                config(role),
                () -> config(role),
                PluginRegistry.ofClassPath(),
                Map.of(Role.COORDINATOR, launcher(), Role.QUEUE, launcher(), Role.PROCESSOR, launcher()));
    }

    private Launcher launcher() {
        return context -> {
            happened.add("start " + NodeNames.role(context.role()) + " " + context.id());
            lastContext = context;
            NodeFace face = new MemberFace(context, List::of, List::of, Map::of, PastCycles.NONE, Map.of(), Map.of());
            return new RunningNode() {
                @Override
                public NodeFace face() {
                    return face;
                }

                @Override
                public void leave(boolean forGood) {
                    happened.add("leave " + NodeNames.role(context.role()) + (forGood ? " for good" : ""));
                }

                @Override
                public void hold(ConfigurationDigest digest, ChimeraConfig config, PluginRegistry plugins) {
                    happened.add("hold " + NodeNames.role(context.role()));
                }

                @Override
                public Optional<String> awaits() {
                    return awaited;
                }

                @Override
                public void close() {
                    happened.add("close " + NodeNames.role(context.role()));
                }
            };
        };
    }

    private static ChimeraConfig config(String role) {
        return new ConfigLoader(Map.of())
                .parse(
                        "test.yaml",
                        "node: { id: n1, host: 127.0.0.1, http: '127.0.0.1:0', role: " + role + " }",
                        List.of());
    }

    private static CompletableFuture<Integer> run(NodeProcess process) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return process.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return -1;
            }
        });
    }
}
