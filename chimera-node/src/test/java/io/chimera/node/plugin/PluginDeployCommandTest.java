package io.chimera.node.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chimera.common.access.AuditLog;
import io.chimera.common.plugin.PluginJar;
import io.chimera.node.Invocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Audit log entries of a deployment. */
final class PluginDeployCommandTest {
    private static final String TRANSFORM = """
            package p;
            import io.chimera.api.spi.*;
            public final class Plain implements TransformType {
                public String name() { return "plain"; }
                public Transform create(PluginContext context) {
                    return new Transform() {
                        public void apply(PointView point, Outlet out) {}
                        public void endCycle(long timeNs, Outlet out) {}
                    };
                }
            }
            """;

    @TempDir
    Path folder;

    private Path data;
    private Path file;

    @BeforeEach
    void configure() throws IOException {
        data = folder.resolve("data");
        file = Files.writeString(folder.resolve("chimera.yaml"), """
                node: { data_dir: "%s" }
                plugins: { folder: "%s" }
                """.formatted(data, folder.resolve("plugins")));
        new PluginJar()
                .version("1.2")
                .provide("TransformType", "p.Plain", TRANSFORM)
                .write(folder.resolve("built/plain/plain.jar"));
    }

    @Test
    void recordsWhoDeployedWhat() throws IOException {
        Files.createDirectories(data);

        Invocation deployed = deploy("built/plain");

        assertThat(deployed.exitCode()).as(deployed.err()).isZero();
        JsonNode entry = audit();
        assertThat(entry.path("action").asText()).isEqualTo("plugin deploy");
        assertThat(entry.path("principal").asText()).isEqualTo(System.getProperty("user.name"));
        assertThat(entry.path("target").asText())
                .contains("plain 1.2")
                .contains(folder.resolve("plugins").toString());
        assertThat(entry.path("result").asText()).isEqualTo("ok");
    }

    @Test
    void recordsARefusedDeployment() throws IOException {
        Files.createDirectories(data);
        Files.createDirectories(folder.resolve("built/broken"));
        Files.writeString(folder.resolve("built/broken/broken.jar"), "no JAR");

        Invocation deployed = deploy("built/broken");

        assertThat(deployed.exitCode()).isNotZero();
        assertThat(audit().path("result").asText()).startsWith("refused: ");
        assertThat(folder.resolve("plugins/broken")).doesNotExist();
    }

    @Test
    void saysThatThereIsNoAuditLogWhereNoNodeHasRun() {
        Invocation deployed = deploy("built/plain");

        assertThat(deployed.exitCode()).as(deployed.err()).isZero();
        assertThat(deployed.out()).contains("Not recorded in an audit log").contains(data.toString());
        assertThat(data).doesNotExist();
    }

    private Invocation deploy(String plugin) {
        return Invocation.of("plugin", "deploy", folder.resolve(plugin).toString(), "-c", file.toString());
    }

    private JsonNode audit() throws IOException {
        List<String> lines = Files.readAllLines(data.resolve(AuditLog.FILE));
        assertThat(lines).hasSize(1);
        return new ObjectMapper().readTree(lines.get(0));
    }
}
