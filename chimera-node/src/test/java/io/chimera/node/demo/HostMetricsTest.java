package io.chimera.node.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class HostMetricsTest {
    @Test
    void tellsProcessorsAndMemoryOfThisMachine() {
        List<String> lines =
                new HostMetrics().lines(1_700_000_000_000_000_000L).lines().toList();

        assertThat(lines)
                .allMatch(line -> line.matches("host_[a-z]+,host=(\\\\.|[^ ])+ [a-z_]+=[0-9.]+i?(,[a-z_]+=[0-9]+i)? "
                        + "1700000000000000000"));
        assertThat(lines).anyMatch(line -> line.startsWith("host_memory,"));
        assertThat(lines.stream().filter(line -> line.startsWith("host_cpu,"))).hasSizeGreaterThanOrEqualTo(1);
    }

    @Test
    void escapesWhatLineProtocolKnows() {
        assertThat(HostMetrics.escaped("a b,c=d")).isEqualTo("a\\ b\\,c\\=d");
        assertThat(HostMetrics.escaped("two\nlines")).isEqualTo("two\\ lines");
        assertThat(HostMetrics.escaped("")).isEqualTo("unknown");
    }
}
