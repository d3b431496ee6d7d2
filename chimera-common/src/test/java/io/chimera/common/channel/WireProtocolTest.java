package io.chimera.common.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WireProtocolTest {
    private static Optional<WireProtocol> of(byte[] bytes) {
        byte[] within = new byte[bytes.length + 6];
        System.arraycopy(bytes, 0, within, 3, bytes.length);
        return WireProtocol.of(within, 3, bytes.length);
    }

    private static Optional<WireProtocol> of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    @Test
    void recognisesRequestsWithTargetsOfAnyLength() {
        for (int length = 1; length < 2 * WireProtocol.LENGTH_MAX; length++) {
            String request = "POST /" + "a".repeat(length) + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nm v=1\n";

            assertThat(of(request)).as("length %d", length).contains(WireProtocol.HTTP);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "TLS        | 16030102000100",
                "TLS        | 1603030200010001fc0303",
                "GZIP       | 1f8b0800000000000003",
                "COLLECTD   | 0000000e6c6f63616c686f737400000800",
                "COLLECTD   | 0008000c16b6f2a95b2f6f0300090000",
                "COLLECTD   | 02000029f0f1f2f3f4f5f6f7f8f9fafbfcfd",
                "COLLECTD   | 02100100000661646d696e",
                "FLOW_RECORDS | 000a002c6567b1a0000000010000000000020010",
                "FLOW_RECORDS | 0009000100000001656700000000000100000000",
                "FLOW_RECORDS | 0005000100000001656700000000000100000000",
            })
    void recognisesBinaryProtocols(WireProtocol expected, String hex) {
        assertThat(of(hex(hex))).contains(expected);
        assertThat(expected.isBinary()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "HTTP     ~ GET / HTTP/1.1",
                "HTTP     ~ POST /write?db=x HTTP/1.0",
                "HTTP     ~ PRI * HTTP/2.0",
                "JSON     ~ {\"name\": \"cpu\"}",
                "JSON     ~ [{\"values\":[0.1],\"dstypes\":[\"derive\"]}]",
                "TELNET   ~ put cpu 1700000000 0.5 host=a",
                "TELNET   ~ putm cpu 1700000000000 1 host=a",
                "STATSD   ~ api.requests:1|c",
                "STATSD   ~ api.time:320.5|ms|@0.1",
                "GRAPHITE ~ collectd.web1.cpu-0.cpu-idle 98.7 1700000000",
                "GRAPHITE ~ host.load nan 1700000000",
                "GRAPHITE ~ disk.used;host=a;dc=b 5 1700000000",
                "GRAPHITE ~ host.load 1.5 -1",
                "INFLUX   ~ cpu,host=a usage=1.5 1700000000000000000",
                "INFLUX   ~ cpu usage=1i,text=\"a b\"",
            })
    void recognisesTextProtocols(WireProtocol expected, String line) {
        assertThat(of(line)).contains(expected);
        assertThat(of(line + "\r\nand more")).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "hello world",
                "cpu,host=a",
                "GET it done",
                "metric 5",
                "metric value 1700000000",
                "# comment",
                "{unquoted}",
                "auth 1234"
            })
    void namesNothingThatItDoesNotKnow(String text) {
        assertThat(of(text)).isEmpty();
    }

    @Test
    void looksAtNoMoreThanTheBeginning() {
        assertThat(of("x".repeat(100_000))).isEmpty();
        assertThat(of("[".repeat(100_000))).contains(WireProtocol.JSON);
        assertThat(of(",a=b".repeat(10_000))).isEmpty();
        assertThat(of(new byte[] {0x16})).isEmpty();
        assertThat(of(new byte[] {0x16, 3})).isEmpty();
        assertThat(of(new byte[] {0, 0, 0, 0})).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "PROMETHEUS, /api/v1/write, x, y",
        "PROMETHEUS, /write, x-prometheus-remote-write-version, 0.1.0",
        "OPEN_TELEMETRY, /v1/metrics, content-type, application/x-protobuf"
    })
    void recognisesRequestsByHeadersAndPath(WireProtocol expected, String path, String header, String value) {
        assertThat(WireProtocol.of(new MemoryExchange("POST", path).header(header, value)))
                .contains(expected);
    }

    @Test
    void recognisesPrometheusAtAnyPathByItsEncoding() {
        MemoryExchange exchange = new MemoryExchange("POST", "/receive")
                .header("content-type", "application/x-protobuf")
                .header("content-encoding", "snappy");
        assertThat(WireProtocol.of(exchange)).contains(WireProtocol.PROMETHEUS);
        assertThat(WireProtocol.of(new MemoryExchange("POST", "/write"))).isEmpty();
        assertThat(WireProtocol.of(new MemoryExchange("GET", "/v1/metrics"))).isEmpty();
    }

    @Test
    void everyRefusalNamesProtocolAndRemedy() {
        for (WireProtocol protocol : WireProtocol.values()) {
            assertThat(protocol.refusal()).contains(protocol.title()).endsWith(".");
        }
    }
}
