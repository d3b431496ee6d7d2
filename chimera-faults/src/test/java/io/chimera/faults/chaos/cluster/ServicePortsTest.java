package io.chimera.faults.chaos.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.faults.chaos.intruder.AttackTarget.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServicePortsTest {
    @TempDir
    Path folder;

    @Test
    void namesThePortsOfAllLanes() throws Exception {
        ServicePorts ports = ports(2);

        assertThat(ports.kind(Role.QUEUE, 9601)).isEqualTo(Kind.NODES);
        assertThat(ports.kind(Role.QUEUE, 9602)).isEqualTo(Kind.NODES);
        assertThat(ports.kind(Role.QUEUE, 9603)).isEqualTo(Kind.UNKNOWN);
        assertThat(ports.kind(Role.PROCESSOR, 9601)).isEqualTo(Kind.UNKNOWN);
        assertThat(ports.kind(Role.PROCESSOR, 9602)).isEqualTo(Kind.NODES);
        assertThat(ports.kind(Role.PROCESSOR, 9603)).isEqualTo(Kind.NODES);
    }

    @Test
    void hasNoPortsOfFurtherLanesByDefault() throws Exception {
        ServicePorts ports = ports(1);

        assertThat(ports.kind(Role.QUEUE, 9601)).isEqualTo(Kind.NODES);
        assertThat(ports.kind(Role.QUEUE, 9602)).isEqualTo(Kind.UNKNOWN);
        assertThat(ports.kind(Role.QUEUE, 8086)).isEqualTo(Kind.INPUT);
        assertThat(ports.kind(Role.PROCESSOR, 8086)).isEqualTo(Kind.UNKNOWN);
        assertThat(ports.kind(Role.COORDINATOR, 9600)).isEqualTo(Kind.NODE_HTTP);
        assertThat(ports.kind(Role.COORDINATOR, 2181)).isEqualTo(Kind.ZOOKEEPER);
        assertThat(ports.kind(Role.ZOOKEEPER, 2888)).isEqualTo(Kind.ZOOKEEPER_QUORUM);
    }

    private ServicePorts ports(int lanes) throws Exception {
        NodeConfiguration layout = new NodeConfiguration(false, RowStore.KAIROSDB, true, 1, lanes);
        Path file = folder.resolve("chimera.yaml");
        for (String secret : List.of("operator.token", "cluster.secret")) {
            Files.writeString(folder.resolve(secret), "secret-of-the-test\n");
        }
        Files.writeString(file, layout.text(folder, "10.0.0.1:2181", "10.0.0.2:8080"));
        ChimeraConfig config = new ConfigLoader(Map.of()).load(file, List.of());
        return new ServicePorts(config, layout);
    }
}
