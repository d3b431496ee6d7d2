package io.chimera.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.node.Invocation;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The configuration for several machines is valid for every role, and for a single machine. */
final class ClusterConfigurationTest {
    private static final Path FILE = Path.of(System.getProperty("basedir", ""))
            .toAbsolutePath()
            .resolveSibling("conf/chimera.cluster.example.yaml");

    @ParameterizedTest
    @ValueSource(strings = {"queue", "processor", "coordinator", "queue_coordinator", "all"})
    void isValid(String role) {
        Invocation validate =
                Invocation.of("validate", "--file-only", "-c", FILE.toString(), "--set", "node.role=" + role);

        assertThat(validate.err()).isEmpty();
        assertThat(validate.exitCode()).isZero();
    }

    @Test
    void takesWhatDiffersFromTheEnvironment() {
        ChimeraConfig config = new ConfigLoader(
                        Map.of("CHIMERA_ID", "q7", "CHIMERA_ZOOKEEPER", "zk1:2181", "CHIMERA_KAIROSDB", "http://k:1"))
                .load(FILE, List.of());

        assertThat(config.node().id()).isEqualTo("q7");
        assertThat(config.coordinator().connectString()).isEqualTo("zk1:2181");
        assertThat(config.stores().get("kairos").url()).isEqualTo("http://k:1");
    }

    @Test
    void runsAZooKeeperOfItsOwnUnlessTold() {
        assertThat(new ConfigLoader(Map.of())
                        .load(FILE, List.of())
                        .coordinator()
                        .runsEmbedded())
                .isTrue();
    }
}
