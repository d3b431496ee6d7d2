package io.chimera.apps.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.kit.KitPoint;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.Transform;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AnomaliesTest {
    private static final long SYN = 2;
    private static final long SYN_ACK = 18;
    private static final long RST = 4;

    private final WrittenPoints out = new WrittenPoints();

    private static PluginContext settings(int limit) {
        return new PluginContext("block", Map.of(), new AnomalySettings(limit, 3));
    }

    private static KitPoint flow(
            String source, String destination, long port, long flags, long back, long reverseFlags) {
        return KitPoint.of("flow", 1_000)
                .tag("protocol", "tcp")
                .field("src", source)
                .field("dst", destination)
                .field("dst_port", port)
                .field("tcp_flags", flags)
                .field("reverse_tcp_flags", reverseFlags)
                .field("reverse_packets", back);
    }

    private static KitPoint victim(String host, boolean isHalfOpen) {
        return KitPoint.of("flow_end", 1_000).tag("host", host).field("half_open", isHalfOpen ? 1L : 0L);
    }

    private static KitPoint scanner(String host, long target, boolean isFailed) {
        return KitPoint.of("flow_end", 1_000)
                .tag("host", host)
                .field("target", target)
                .field("failed", isFailed ? 1L : 0L);
    }

    @Test
    void makesAPointForEachEndOfAFlow() {
        Transform ends = new FlowEnds().create(settings(1));
        ends.apply(flow("10.0.0.1", "10.0.0.2", 80, SYN, 0, 0), out);
        ends.apply(flow("10.0.0.1", "10.0.0.2", 80, SYN_ACK, 3, RST), out);
        ends.apply(KitPoint.of("cpu", 1_000).field("user", 1.0), out);

        assertThat(out.points).hasSize(5).last().isEqualTo("passed by 1");
        assertThat(out.points.get(0)).contains("10.0.0.2", "half_open=1");
        assertThat(out.points.get(1)).contains("10.0.0.1", "target=", "failed=1");
        assertThat(out.points.get(2)).contains("10.0.0.2", "half_open=0");
        assertThat(out.points.get(3)).contains("10.0.0.1", "failed=1");
    }

    @Test
    void seesAFloodInTheCycleThatItIsIn() {
        Transform floods = new SynFlood().create(settings(10));
        for (int i = 0; i < 10; i++) {
            floods.apply(victim("10.0.0.2", true), out);
            floods.apply(victim("10.0.0.3", i % 2 == 0), out);
            floods.apply(victim("10.0.0.4", false), out);
            floods.apply(victim("10.0.0.5", true), out); // one host over the limit
        }
        floods.endCycle(5_000, out);
        floods.endCycle(6_000, out);

        assertThat(out.points).hasSize(1);
        assertThat(out.points.get(0)).contains("syn_flood", "10.0.0.2", "half_open=10", "other=0");
    }

    @Test
    void seesAScanInTheCycleThatItIsIn() {
        Transform scans = new PortScan().create(settings(10));
        for (int i = 0; i < 20; i++) {
            scans.apply(scanner("10.0.0.1", i, true), out);
            scans.apply(scanner("10.0.0.2", 7, true), out);
            scans.apply(scanner("10.0.0.3", i, false), out);
        }
        scans.endCycle(5_000, out);
        scans.endCycle(6_000, out);

        assertThat(out.points).hasSize(1);
        assertThat(out.points.get(0)).contains("port_scan", "10.0.0.1", "targets=10");
    }

    @Test
    void refusesSettingsThatMakeNoSense() {
        assertThatThrownBy(() -> new AnomalySettings(0, null)).hasMessageContaining("limit and hosts");
    }
}
