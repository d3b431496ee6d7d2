package io.chimera.node.inputs;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.node.child.FreePorts;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unmodified clients of StatsD write metrics; the sums in the store equal the sums of the sent values. */
@Tag("it")
final class StatsdClientsIT {
    private static final FreePorts PORTS = new FreePorts(4);
    private static final int PLAIN = InputNode.port(PORTS.next());
    private static final int DOGSTATSD = InputNode.port(PORTS.next());

    @TempDir
    private static Path folder;

    private static InputNode node;

    @BeforeAll
    static void start() throws Exception {
        node = new InputNode(folder, PORTS, """
                statsd: { type: statsd, tcp: "127.0.0.1:%d", udp: "127.0.0.1:%d" }
                dogstatsd:
                  type: statsd
                  udp: 127.0.0.1:%d
                  statsd: { relative_gauges: absolute }
                """.formatted(PLAIN, PLAIN, DOGSTATSD));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @Test
    void statsdOverUdp() throws Exception {
        node.python("""
                import sys, statsd
                client = statsd.StatsClient('127.0.0.1', int(sys.argv[1]))
                with client.pipeline() as pipe:
                    for i in range(200):
                        pipe.incr('it.udp.hits', i)
                        pipe.timing('it.udp.time', i + 0.5)
                        pipe.gauge('it.udp.level', i)
                        pipe.set('it.udp.users', 'user%d' % (i % 7))
                """, String.valueOf(PLAIN));

        node.awaitStored("it.udp.hits.delta", 200, 19_900, 0, 199);
        node.awaitStored("it.udp.time.value", 200, 20_000, 0.5, 199.5);
        node.awaitStored("it.udp.level.value", 200, 19_900, 0, 199);
        assertThat(node.stored("it.udp.users.set.count").values().stream()
                        .mapToDouble(row -> row)
                        .sum())
                .isEqualTo(200);
    }

    @Test
    void statsdOverTcp() throws Exception {
        node.python("""
                import sys, statsd
                client = statsd.TCPStatsClient('127.0.0.1', int(sys.argv[1]))
                for i in range(1000):
                    client.incr('it.tcp.hits', i)
                client.close()
                """, String.valueOf(PLAIN));

        node.awaitStored("it.tcp.hits.delta", 1_000, 499_500, 0, 999);
    }

    /** The client packs several metrics into a datagram, and several values into a metric. */
    @Test
    void datadogOverUdp() throws Exception {
        node.python("""
                import sys
                from datadog.dogstatsd import DogStatsd
                with DogStatsd(host='127.0.0.1', port=int(sys.argv[1]), constant_tags=['env:it', 'flag'],
                               disable_telemetry=True) as client:
                    for i in range(200):
                        client.increment('it.dog.hits', i, tags=['worker:%d' % (i % 4)])
                        client.distribution('it.dog.time', i)
                        client.gauge('it.dog.level', 10 - i)
                    client.event('it', 'an event')
                    client.service_check('it.check', 0)
                """, String.valueOf(DOGSTATSD));

        node.awaitStored("it.dog.hits.delta", 200, 19_900, 0, 199);
        node.awaitStored("it.dog.time.value", 200, 19_900, 0, 199);
        node.awaitStored("it.dog.level.value", 200, -17_900, -189, 10);
        assertThat(node.stored("it.dog.hits.delta.count").keySet())
                .allSatisfy(row -> assertThat(row).contains("\"env\":\"it\"", "\"flag\":\"true\"", "\"worker\":"));
        assertThat(node.metric("chimera_parser_statsd_others_total")).isEqualTo(2);
        assertThat(node.metric("chimera_parser_points_rejected_total")).isZero();
    }
}
