package io.chimera.node.demo;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.influxdb.client.InfluxDBClient;
import com.influxdb.client.InfluxDBClientFactory;
import com.influxdb.client.WriteApiBlocking;
import com.influxdb.client.domain.WritePrecision;
import com.influxdb.client.write.Point;
import io.chimera.common.channel.Endpoint;
import io.chimera.node.ChimeraHome;
import io.chimera.node.child.KairosReader;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kairosdb.client.HttpClient;
import org.kairosdb.client.builder.MetricBuilder;

/**
 * An unmodified client of each protocol writes through a cluster of real processes, and the aggregates are read back
 * from KairosDB. Independent of the division into cycles, count and sum over all rows match the written points.
 */
class ProtocolsIT {
    private static final int POINTS = 100;

    /** 0 + 1 + … + 99. */
    private static final double SUM = POINTS * (POINTS - 1) / 2.0;

    @TempDir
    private static Path folder;

    private static DemoCluster cluster;

    @BeforeAll
    static void start() throws InterruptedException {
        cluster = new DemoCluster(ChimeraHome.find(), folder, "1s", DemoCluster.QUEUES, Optional.empty());
        cluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void influxClientOverHttp() throws InterruptedException {
        String url = "http://" + cluster.address("q1", "inputs.influx.http");
        try (InfluxDBClient client = InfluxDBClientFactory.create(url, "any".toCharArray(), "org", "bucket")) {
            WriteApiBlocking writes = client.getWriteApiBlocking();
            List<Point> points = new ArrayList<>();
            for (int i = 0; i < POINTS; i++) {
                points.add(Point.measurement("it.influx.http")
                        .addTag("host", "h1")
                        .addField("value", (long) i)
                        .time(System.currentTimeMillis(), WritePrecision.MS));
            }
            writes.writePoints(points);
        }

        assertStored("it.influx.http.value");
    }

    @Test
    void linesOverTcp() throws Exception {
        try (Socket socket = connect("q2", "inputs.influx.tcp")) {
            for (int i = 0; i < POINTS; i++) {
                socket.getOutputStream().write(("it.influx.tcp,host=h1 value=" + i + "i\n").getBytes(UTF_8));
            }
        }

        assertStored("it.influx.tcp.value");
    }

    @Test
    void linesOverUdp() throws Exception {
        Endpoint remote = Endpoint.parse(cluster.address("q1", "inputs.influx.udp"));
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < POINTS; i++) {
                byte[] line = ("it.influx.udp,host=h1 value=" + i + "i").getBytes(UTF_8);
                socket.send(new DatagramPacket(line, line.length, InetAddress.getByName(remote.host()), remote.port()));
            }
        }

        assertStored("it.influx.udp.value");
    }

    @Test
    void kairosClientOverRest() throws Exception {
        try (HttpClient client = new HttpClient("http://" + cluster.address("q2", "inputs.kairosdb.http"))) {
            MetricBuilder metrics = MetricBuilder.getInstance();
            for (int i = 0; i < POINTS; i++) {
                metrics.addMetric("it.kairos.rest").addTag("host", "h1").addDataPoint(i);
            }
            client.pushMetrics(metrics);
        }

        assertStored("it.kairos.rest.value");
    }

    @Test
    void putOverTelnet() throws Exception {
        try (Socket socket = connect("q1", "inputs.kairosdb.tcp")) {
            for (int i = 0; i < POINTS; i++) {
                long seconds = System.currentTimeMillis() / 1_000;
                socket.getOutputStream()
                        .write(("put it.kairos.telnet " + seconds + " " + i + " host=h1\n").getBytes(UTF_8));
            }
        }

        assertStored("it.kairos.telnet.value");
    }

    private static Socket connect(String node, String setting) throws IOException {
        Endpoint remote = Endpoint.parse(cluster.address(node, setting));
        return new Socket(remote.host(), remote.port());
    }

    private static void assertStored(String field) throws InterruptedException {
        await(field).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
            assertThat(stored(field + ".count").stream()
                            .mapToDouble(row -> row[1])
                            .sum())
                    .isEqualTo(POINTS);
        });
        assertThat(stored(field + ".sum").stream().mapToDouble(row -> row[1]).sum())
                .isEqualTo(SUM);
        assertThat(stored(field + ".min").stream().mapToDouble(row -> row[1]).min())
                .hasValue(0);
        assertThat(stored(field + ".max").stream().mapToDouble(row -> row[1]).max())
                .hasValue(POINTS - 1);
    }

    /** Returns the rows of one output series as pairs of time and value. */
    private static List<double[]> stored(String metric) throws InterruptedException {
        long now = System.currentTimeMillis();
        long hourMs = Duration.ofHours(1).toMillis();
        return new KairosReader(cluster.kairos()).series(metric, Map.of("host", "h1"), now - hourMs, now + hourMs);
    }
}
