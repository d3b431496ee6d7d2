package io.chimera.node.archive.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class ClusterOptionTest {
    @Test
    void refusesAnAddressThatLeadsEveryNodeToItself() {
        for (String http : new String[] {"127.0.0.1:9610", "localhost:9610", "[::1]:9610", "0.0.0.0:9610"}) {
            assertThatThrownBy(() -> in("zk1:2181,127.0.0.1:2181").settings(http))
                    .as(http)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("address of this node");
        }
        assertThat(in("zk1:2181").settings("10.0.0.1:9610")).isPresent();
        assertThat(in("127.0.0.1:2181,localhost:2182/chimera/lab").settings("127.0.0.1:9610"))
                .as("all on one machine")
                .isPresent();
    }

    private static ClusterOption in(String cluster) {
        return CommandLine.populateCommand(new ClusterOption(), "--cluster", cluster, "--node", "a");
    }
}
