package io.chimera.node.dataset.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.dataset.definition.SourceConfig;
import io.chimera.dataset.job.JobException;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What jobs of a cluster may reach. */
class SourceRulesTest {
    @TempDir
    Path folder;

    private HttpServer server;
    private int requests;

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests++;
            exchange.getResponseHeaders().add("Location", "http://localhost:" + port() + "/other");
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private int port() {
        return server.getAddress().getPort();
    }

    private static SourceRules rules(String datasets) {
        ChimeraConfig config = new ConfigLoader(Map.of()).parse("c", "datasets: " + datasets, List.of());
        return new SourceRules(config.datasets());
    }

    private static SourceConfig source(String url, String credentials) {
        return new SourceConfig(url, "", "", "", "", "", credentials, List.of());
    }

    private static DataSource open(SourceRules rules, SourceConfig source) throws IOException {
        return rules.open(source, new SystemClock());
    }

    @Test
    void aFolderMustLieBelowAnAllowedOneAfterItsLinks() throws IOException {
        Path allowed = Files.createDirectories(folder.resolve("allowed/in"));
        Path secret = Files.createDirectories(folder.resolve("secret"));
        Files.createSymbolicLink(folder.resolve("allowed/link"), secret);
        SourceRules rules = rules("{ allow: ['file:" + folder.resolve("allowed") + "'] }");

        open(rules, source("file:" + allowed, "")).close();
        open(rules, source("file://" + allowed, "")).close();
        for (String path : List.of(
                secret.toString(),
                folder.resolve("allowed/link").toString(),
                folder.resolve("allowed/../secret").toString(),
                folder.resolve("allowed-not").toString(),
                "data")) {
            assertThatThrownBy(() -> open(rules, source("file:" + path, "")))
                    .as(path)
                    .isInstanceOf(JobException.class);
        }
    }

    @Test
    void aMissingAllowedFolderLeavesTheOthersAllowed() throws IOException {
        Path allowed = Files.createDirectories(folder.resolve("allowed"));
        SourceRules rules = rules("{ allow: ['file:" + folder.resolve("missing") + "', 'file:" + allowed + "'] }");

        open(rules, source("file:" + allowed, "")).close();
        assertThatThrownBy(() -> open(rules, source("file:" + folder.resolve("missing"), "")))
                .isInstanceOf(JobException.class)
                .hasMessageContaining("does not exist");
    }

    @Test
    void aFolderThatBecomesALinkIsNotReadAnyMore() throws IOException {
        Path allowed = Files.createDirectories(folder.resolve("allowed/in"));
        Files.writeString(allowed.resolve("a"), "good");
        Path secret = Files.createDirectories(folder.resolve("secret"));
        Files.writeString(secret.resolve("a"), "kept");
        SourceRules rules = rules("{ allow: ['file:" + folder.resolve("allowed") + "'] }");
        try (DataSource unused = open(rules, source("file:" + allowed, ""));
                DataSource used = open(rules, source("file:" + allowed, ""))) {
            assertThat(used.list("a")).hasSize(1);
            Files.move(allowed, folder.resolve("allowed/moved"));
            Files.createSymbolicLink(allowed, secret);

            for (DataSource opened : List.of(unused, used)) {
                assertThatThrownBy(() -> opened.list("a"))
                        .isInstanceOfSatisfying(SourceException.class, e -> assertThat(e.fault())
                                .isEqualTo(SourceFault.NOT_ALLOWED))
                        .hasMessageContaining("link");
            }
        }
    }

    @Test
    void nothingIsAllowedByDefault() {
        SourceRules rules = rules("{}");

        assertThatThrownBy(() -> open(rules, source("file:" + folder, ""))).hasMessageContaining("datasets.allow");
        assertRefused(rules, source("http://127.0.0.1:" + port() + "/", ""));
        assertThat(requests).isZero();
    }

    @Test
    void aRedirectLeadsToAllowedHostsOnly() {
        assertRefused(rules("{ allow: ['127.0.0.1:" + port() + "'] }"), source("http://127.0.0.1:" + port() + "/", ""));
        assertThat(requests).isOne();
    }

    @Test
    void credentialsGoToTheirHostsOnly() {
        SourceRules rules = rules("{ allow: ['127.0.0.1', localhost],"
                + " credentials: { c: { user: u, password: p1, hosts: [localhost] } } }");

        assertRefused(rules, source("http://127.0.0.1:" + port() + "/", "c"));
        assertThat(requests).isZero();
        assertThatThrownBy(() -> open(rules, source("http://localhost/", "d")))
                .isInstanceOf(JobException.class)
                .hasMessageContaining("datasets.credentials.d");
    }

    private static void assertRefused(SourceRules rules, SourceConfig source) {
        assertThatThrownBy(() -> {
                    try (DataSource opened = open(rules, source)) {
                        opened.list("a");
                    }
                })
                .isInstanceOfSatisfying(
                        SourceException.class, e -> assertThat(e.fault()).isEqualTo(SourceFault.NOT_ALLOWED));
    }
}
