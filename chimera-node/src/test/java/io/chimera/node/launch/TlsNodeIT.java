package io.chimera.node.launch;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.agent.Waits;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.TlsConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.plugin.PluginRegistry;
import io.chimera.common.security.Tls;
import io.chimera.node.child.FreePorts;
import io.chimera.node.cli.Main;
import io.chimera.node.watch.NodeClient;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process with all roles and TLS on every port, set up with the commands of the documentation. */
final class TlsNodeIT {
    @TempDir
    private Path folder;

    private void chimera(String... arguments) {
        StringWriter said = new StringWriter();
        int code = Main.commandLine()
                .setOut(new PrintWriter(said))
                .setErr(new PrintWriter(said))
                .execute(arguments);
        assertThat(code).as(said.toString()).isZero();
    }

    private void issue(String role, String id) {
        chimera("tls", "issue", role, id, "--dir", dir(), "--cluster", "c", "--san", "localhost,127.0.0.1");
    }

    private String dir() {
        return folder.resolve("ca").toString();
    }

    private ChimeraConfig config(List<Integer> ports) {
        return new ConfigLoader(Map.of())
                .parse(
                        "test.yaml",
                        """
                        node:
                          role: all
                          id: n1
                          host: 127.0.0.1
                          data_dir: %1$s/data
                          http: 127.0.0.1:%2$d
                          drain_within: 0s
                          tls: &tls { cert: %1$s/ca/coordinator-n1-coordinator.pem, key: %1$s/ca/coordinator-n1-coordinator.key, ca: %1$s/ca/ca.pem, crl: %1$s/ca/crl.pem, reload: 1s }
                        coordinator:
                          cluster: c
                          secret: 0123456789abcdef0123456789abcdef
                          tls: { cert: %1$s/ca/coordinator-n1-coordinator.pem, key: %1$s/ca/coordinator-n1-coordinator.key, ca: %1$s/ca/ca.pem, crl: %1$s/ca/crl.pem, reload: 1s }
                          embedded: { address: "127.0.0.1:%3$d" }
                        cycle: { every: 500ms }
                        queue: { address: "127.0.0.1:%4$d", acks: 1, min_acks: 1, journal: { reserve: 1MiB } }
                        processor: { address: "127.0.0.1:%5$d" }
                        inputs:
                          i:
                            http: 127.0.0.1:%6$d
                            tls: { cert: %1$s/ca/coordinator-n1-coordinator.pem, key: %1$s/ca/coordinator-n1-coordinator.key, ca: %1$s/ca/ca.pem, crl: %1$s/ca/crl.pem, client_auth: need, reload: 1s }
                        pipelines: { p: { inputs: [i], stores: [s] } }
                        stores: { s: { type: archive, archive: { size: 64MiB } } }
                        """.replace("&tls ", "").formatted(
                                folder, ports.get(0), ports.get(1), ports.get(2), ports.get(3), ports.get(4)),
                        List.of());
    }

    @Test
    void everyPortSpeaksTlsAndCertificatesAreRotatedTwiceUnderLoadWithoutALostRequest() throws Exception {
        chimera("tls", "init", "--dir", dir(), "--cluster", "c");
        issue("all", "n1");
        issue("operator", "sender");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(folder.resolve("ca/coordinator-n1-coordinator.key"))))
                .isEqualTo("rw-------");
        FreePorts free = new FreePorts(5);
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ports.add(Endpoint.parse(free.next()).port());
        }
        ChimeraConfig config = config(ports);
        NodeProcess process = new NodeProcess(config, () -> config, PluginRegistry.ofClassPath(), Launchers.all());
        CompletableFuture<Integer> running = CompletableFuture.supplyAsync(() -> {
            try {
                return process.run();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        try {
            NodeClient client = NodeClient.of(config);
            String http = "127.0.0.1:" + ports.get(0);
            await().until(() -> running.isDone() || client.isReady(http));
            assertThat(running).as("the node stopped").isNotDone();
            assertThat(client.metrics(http)).containsKey("chimera_tls_not_after_seconds");
            assertThat(new NodeClient().isReady(http)).as("in the clear").isFalse();
            assertThatThrownBy(() -> new NodeClient().status(http, "coordinator"))
                    .isInstanceOf(ChimeraException.class)
                    .hasMessageContaining("-c FILE")
                    .hasMessageNotContaining("https.");
            assertThatThrownBy(() -> new NodeClient().tell(http, "drain"))
                    .isInstanceOf(ChimeraException.class)
                    .hasMessageContaining("-c FILE");
            ChimeraConfig withoutTls = new ConfigLoader(Map.of()).parse("test", "node: {}", List.of());
            assertThatThrownBy(() -> NodeClient.of(withoutTls).status(http, "coordinator"))
                    .isInstanceOf(ChimeraException.class)
                    .hasMessageContaining("no section node.tls")
                    .hasMessageNotContaining("-c FILE");
            for (int port : ports) {
                assertThat(openssl(port, false))
                        .as("port %d without a certificate", port)
                        .isEqualTo(port == ports.get(0));
                assertThat(openssl(port, true))
                        .as("port %d with a certificate", port)
                        .isTrue();
            }
            rotateUnderLoad(URI.create("https://127.0.0.1:" + ports.get(4) + "/write"), client, http);
        } finally {
            process.stop("a test", false);
            assertThat(running.get(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isZero();
        }
    }

    private void rotateUnderLoad(URI input, NodeClient client, String http) throws Exception {
        AtomicBoolean ends = new AtomicBoolean();
        AtomicInteger sent = new AtomicInteger();
        List<String> failures = new ArrayList<>();
        Thread load = new Thread(() -> {
            while (!ends.get() && failures.isEmpty()) {
                try {
                    // a separate client per request, so that each request makes a handshake
                    HttpClient sender = HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .sslContext(sender().clusterContext("c"))
                            .build();
                    int status = sender.send(
                                    HttpRequest.newBuilder(input)
                                            .timeout(Duration.ofSeconds(60))
                                            .POST(BodyPublishers.ofString("m,h=a v=" + sent.get()))
                                            .build(),
                                    BodyHandlers.discarding())
                            .statusCode();
                    if (status != 204) {
                        failures.add("status " + status);
                    }
                    sent.incrementAndGet();
                } catch (Exception e) {
                    failures.add(e.toString());
                }
            }
        });
        load.start();
        for (int round = 0; round < 2; round++) {
            int before = sent.get();
            await().until(() -> sent.get() > before || !failures.isEmpty());
            double oldEnd = client.metrics(http).get("chimera_tls_not_after_seconds");
            Path old = folder.resolve("old-" + round + ".pem");
            Files.copy(folder.resolve("ca/coordinator-n1-coordinator.pem"), old, StandardCopyOption.REPLACE_EXISTING);
            chimera(
                    "tls",
                    "issue",
                    "all",
                    "n1",
                    "--dir",
                    dir(),
                    "--cluster",
                    "c",
                    "--san",
                    "localhost,127.0.0.1",
                    "--for",
                    (100 + round) + "d");
            issue("operator", "sender");
            await().until(() ->
                    client.metrics(http).get("chimera_tls_not_after_seconds") > oldEnd || !failures.isEmpty());
            chimera("tls", "revoke", "--dir", dir(), old.toString());
        }
        int before = sent.get();
        await().until(() -> sent.get() > before || !failures.isEmpty());
        ends.set(true);
        load.join();
        assertThat(failures).isEmpty();
    }

    private Tls sender() {
        TlsConfig files = Sections.of(
                TlsConfig.class,
                "cert",
                folder.resolve("ca/operator-sender.pem"),
                "key",
                folder.resolve("ca/operator-sender.key"),
                "ca",
                folder.resolve("ca/ca.pem"));
        while (true) {
            try {
                return Tls.open("sender", files, true, new SystemClock());
            } catch (ChimeraException e) {
                Thread.onSpinWait(); // waits between key and certificate of a new pair
            }
        }
    }

    /** Whether openssl completes the handshake and stays connected. */
    private boolean openssl(int port, boolean withCertificate) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "openssl",
                "s_client",
                "-connect",
                "127.0.0.1:" + port,
                "-CAfile",
                folder.resolve("ca/ca.pem").toString(),
                "-tls1_2",
                "-verify_return_error"));
        if (withCertificate) {
            command.addAll(List.of(
                    "-cert", folder.resolve("ca/operator-sender.pem").toString(),
                    "-key", folder.resolve("ca/operator-sender.key").toString()));
        }
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return said.contains("Verify return code: 0 (ok)") && process.exitValue() == 0;
    }
}
