package io.chimera.node.launch;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.access.AuditLog;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.agent.Waits;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.NodeConfig.Role;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.plugin.PluginRegistry;
import io.chimera.coordinator.zookeeper.ZooKeeperSession;
import io.chimera.coordinator.zookeeper.ZooKeeperSettings;
import io.chimera.node.Invocation;
import io.chimera.node.child.FreePorts;
import io.chimera.node.plugin.NodePlugins;
import io.chimera.node.watch.NodeClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code chimera cluster account} against a coordinator with its embedded ZooKeeper, its HTTP port and its principals.
 * The members are simulated: they commit fewer points than the cut names.
 */
@Tag("it")
final class ClusterAccountIT {
    private static final String ADMIN = "d4".repeat(32);
    private static final String VIEWER = "a9".repeat(32);
    private static final long STREAM = 1_011;
    private static final long POINTS = 5;

    /** A client for all questions: each client keeps a connection, and a port limits the connections of an address. */
    private final NodeClient client = new NodeClient();

    @TempDir
    Path folder;

    private NodeProcess process;
    private CompletableFuture<Integer> running;
    private ZooKeeperSession session;
    private String http;

    @BeforeEach
    void start() throws Exception {
        String zooKeeper = new FreePorts(1).next();
        Files.writeString(folder.resolve("tokens.yaml"), """
            tokens:
              viewer: { sha256: %s, roles: [view] }
              root: { sha256: %s, roles: [admin] }
            """.formatted(sha256(VIEWER), sha256(ADMIN)));
        Path file = configuration("admin", ADMIN, zooKeeper);
        configuration("viewer", VIEWER, zooKeeper);
        ChimeraConfig config = new ConfigLoader(Map.of()).load(file, List.of());
        PluginRegistry registry = PluginRegistry.ofClassPath();
        process = new NodeProcess(config, () -> config, registry, Map.of(Role.COORDINATOR, new CoordinatorLauncher()));
        running = CompletableFuture.supplyAsync(() -> {
            try {
                return process.run();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        await().until(() -> running.isDone()
                || (process.address() != null
                        && client.isReady(process.address().toString())));
        assertThat(running).isNotDone();
        http = process.address().toString();
        session = new ZooKeeperSession(
                new ZooKeeperSettings(
                        zooKeeper,
                        ZooKeeperSettings.ROOT_DEFAULT,
                        config.coordinator().cluster(),
                        ZooKeeperSettings.SESSION_TIMEOUT_DEFAULT),
                "members",
                new SystemClock(),
                new Counters<>(ClusterCounter.class),
                error -> {});
        String digest = NodePlugins.agreement(config, registry).text();
        Cluster cluster = session.cluster();
        cluster.announce(new ProcessorMember("p1", 21, "127.0.0.1:1", "127.0.0.1:1", digest, false));
        cluster.announce(new QueueMember(
                "q1",
                11,
                "127.0.0.1:1",
                "127.0.0.1:1",
                STREAM,
                digest,
                Positions.NONE,
                Positions.of(STREAM, POINTS),
                false));
        await().until(() -> session.view().cycles().containsKey(1L));
    }

    private Path configuration(String name, String token, String zooKeeper) throws Exception {
        Files.writeString(folder.resolve(name + ".token"), token + "\n");
        return Files.writeString(folder.resolve(name + ".yaml"), """
            node:
              role: coordinator
              id: c1
              host: 127.0.0.1
              data_dir: "%s"
              http: "127.0.0.1:0"
              tokens: "%s"
              token: ${file:%s}
            coordinator: { embedded: { address: "%s" } }
            cycle: { every: 500ms }
            queue: { acks: 1 }
            """.formatted(
                folder.resolve("data"), folder.resolve("tokens.yaml"), folder.resolve(name + ".token"), zooKeeper));
    }

    private static String sha256(String text) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    }

    @AfterEach
    void stop() throws Exception {
        if (session != null) {
            session.close();
        }
        process.stop("a test", false);
        running.get(Waits.SECONDS_MAX, TimeUnit.SECONDS);
    }

    @Test
    void showsTheAccountsAndCarriesOutTheDecisionsOfAnAdministrator() throws Exception {
        commit(POINTS - 1, 0);
        await().until(() -> !client.isReady(http));

        Invocation shown = account("admin");
        assertThat(shown.exitCode()).as(shown.err()).isZero();
        assertThat(shown.out())
                .contains("5 points")
                .contains("unaccounted: 1")
                .contains("q1")
                .contains("Nothing was changed");
        Invocation refused = account("viewer", "--accept");
        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.err()).contains("admin");
        assertThat(session.view().low().cycle()).isZero();

        Invocation again = account("admin", "--replay");
        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(again.out()).contains("processed again").contains("takes the lead");
        await().until(() ->
                open().assignment().version() == 1 && open().commits().isEmpty());
        await().until(() -> client.isReady(http));

        commit(POINTS - 2, 1);
        await().until(() -> !client.isReady(http));
        Invocation accepted = account("admin", "--accept");
        assertThat(accepted.exitCode()).as(accepted.err()).isZero();
        await().until(() -> session.view().low().cycle() == 1);
        await().until(() -> client.isReady(http));
        assertThat(session.view().low().totals().unaccounted()).isEqualTo(2);

        await().until(() -> audit().lines()
                        .filter(line -> line.contains("\"action\":\"/-/account\"")
                                && line.contains("\"principal\":\"root\"")
                                && line.contains("\"result\":\"ok\""))
                        .count()
                == 3);
    }

    @Test
    void decidesNothingAboutACycleThatAddsUp() {
        Invocation open = account("admin", "--accept");

        assertThat(open.exitCode()).isNotZero();
        assertThat(open.err()).contains("nothing to decide");
        Invocation unknown = Invocation.of(
                "cluster",
                "account",
                "77",
                "--http",
                http,
                "-c",
                folder.resolve("admin.yaml").toString());
        assertThat(unknown.exitCode()).isNotZero();
        assertThat(unknown.err()).contains("Cycle 77 is not open");
    }

    private void commit(long aggregated, int version) {
        session.cluster()
                .commit(new ShardCommit(1, 0, 21, new ShardCommit.Accounts(aggregated, 0, 0, 0), 1, 1), version);
    }

    private OpenCycle open() {
        return session.view().cycles().get(1L);
    }

    private String audit() {
        try {
            return Files.readString(folder.resolve("data").resolve(AuditLog.FILE));
        } catch (IOException e) {
            return "";
        }
    }

    private Invocation account(String as, String... decision) {
        List<String> arguments = new ArrayList<>(List.of("cluster", "account", "1"));
        arguments.addAll(List.of(decision));
        arguments.addAll(
                List.of("--http", http, "-c", folder.resolve(as + ".yaml").toString()));
        return Invocation.of(arguments.toArray(String[]::new));
    }
}
