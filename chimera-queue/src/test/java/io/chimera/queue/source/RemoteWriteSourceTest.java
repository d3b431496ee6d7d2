package io.chimera.queue.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.spi.Parser;
import io.chimera.common.channel.HttpRefusal;
import io.chimera.common.channel.MemoryExchange;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.Completion;
import io.chimera.queue.parser.remotewrite.RemoteWrite1Parser;
import io.chimera.queue.parser.remotewrite.RemoteWrite2Parser;
import io.chimera.queue.parser.remotewrite.RemoteWriteParser;
import io.chimera.queue.parser.remotewrite.RemoteWriteRules;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RemoteWriteSourceTest {
    private static final String V1 = "application/x-protobuf";
    private static final String V2 = "application/x-protobuf;proto=io.prometheus.write.v2.Request";
    private static final String WRITTEN = "X-Prometheus-Remote-Write-";

    /** One sample of {@code up{job="a"}}: version 1.0, then 2.0 with an exemplar. */
    private static final byte[] FIRST =
            hex("0a2c0a0e0a085f5f6e616d655f5f120275700a080a036a6f621201611210090000000000004040" + "1080d095ffbc31");

    private static final byte[] SECOND = hex("220022085f5f6e616d655f5f2202757022036a6f62220161"
            + "2a1a0a04010203041210090000000000004040" + "1080d095ffbc312200");

    @TempDir
    Path folder;

    private SourceRig rig;
    private RemoteWriteSource source;

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    @BeforeEach
    void setUp() {
        rig = new SourceRig(folder, 4, 4096);
        RemoteWriteRules rules = new RemoteWriteRules(List.of("_total"), false);
        Counters<QueueCounter> counters = rig.counters;
        source = new RemoteWriteSource(
                rig.inlet(() -> new RemoteWrite1Parser(rules, counters)).countedBy(RemoteWriteSourceTest::written),
                rig.inlet(() -> new RemoteWrite2Parser(rules, counters)).countedBy(RemoteWriteSourceTest::written));
    }

    private static Written written(Parser parser) {
        RemoteWriteParser found = (RemoteWriteParser) parser;
        return new Written(found.written().samples(), 0, found.written().exemplars());
    }

    private static MemoryExchange post(String type, byte[] body) {
        return new MemoryExchange("POST", "/api/v1/write")
                .header("content-type", type)
                .body(body);
    }

    private MemoryExchange handled(MemoryExchange exchange) {
        assertThat(source.admit(exchange)).isNull();
        assertThat(source.handle(exchange)).isTrue();
        return exchange;
    }

    @Test
    void answersWhenThePointsAreJournaled() {
        for (String path : List.of("/api/v1/write", "/api/v1/push", "/api/v1/receive")) {
            MemoryExchange exchange = handled(
                    new MemoryExchange("POST", path).header("content-type", V1).body(FIRST));
            assertThat(exchange.status()).isZero();

            rig.journal();

            assertThat(exchange.status()).isEqualTo(204);
            assertThat(exchange.answerBytes()).isEmpty();
        }
        assertThat(rig.values("value")).containsExactly(32.0, 32.0, 32.0);
        assertThat(rig.points.get(0).key().metric()).isEqualTo("up");
        assertThat(rig.points.get(0).timeNs()).isEqualTo(1_700_000_000_000_000_000L);
    }

    @Test
    void tellsTheWrittenElementsInTheSecondVersionOnly() {
        MemoryExchange first = handled(post(V1, FIRST));
        MemoryExchange second = handled(post(V2, SECOND));
        rig.journal();

        assertThat(first.answerHeader(WRITTEN + "Samples-Written")).isNull();
        assertThat(second.status()).isEqualTo(204);
        assertThat(second.answerHeader(WRITTEN + "Samples-Written")).isEqualTo("1");
        assertThat(second.answerHeader(WRITTEN + "Histograms-Written")).isEqualTo("0");
        assertThat(second.answerHeader(WRITTEN + "Exemplars-Written")).isEqualTo("1");
        assertThat(rig.values("value")).containsExactly(32.0, 32.0);
    }

    @Test
    void namesRejectsAndKeepsTheGoodSeries() {
        byte[] bad = hex("2a16" + "0a020304" + "1210090000000000004040" + "1080d095ffbc31");
        byte[] body = Arrays.copyOf(SECOND, SECOND.length + bad.length);
        System.arraycopy(bad, 0, body, SECOND.length, bad.length);

        MemoryExchange exchange = handled(post(V2, body));
        rig.journal();

        assertThat(exchange.status()).isEqualTo(400);
        assertThat(exchange.answer()).contains("1 rejected, 1 samples written", "series 2: missing metric");
        assertThat(exchange.answerHeader(WRITTEN + "Samples-Written")).isEqualTo("1");
        assertThat(rig.points).hasSize(1);
        assertThat(rig.count(QueueCounter.SOURCE_REQUESTS_BAD)).isEqualTo(1);
        assertThat(rig.count(QueueCounter.PARSER_POINTS_REJECTED)).isEqualTo(1);
    }

    @Test
    void refusesMalformedBodies() {
        MemoryExchange exchange = handled(post(V1, hex("0a05")));
        rig.journal();

        assertThat(exchange.status()).isEqualTo(400);
        assertThat(exchange.answer()).contains("malformed message");
        assertThat(rig.points).isEmpty();
    }

    @Test
    void asksForARetryWhenTheJournalFailsOrTheRingIsFull() {
        MemoryExchange failed = handled(post(V2, SECOND));
        rig.takeSlots();
        rig.completions.forEach((Completion completion) -> completion.failed("the disk is full"));
        assertThat(failed.status()).isEqualTo(503);
        assertThat(failed.answerHeader("Retry-After")).isEqualTo("1");
        assertThat(failed.answerHeader(WRITTEN + "Samples-Written")).isNull();

        rig.fillRing();
        MemoryExchange full = post(V2, SECOND);
        assertThat(source.handle(full)).isFalse();
        rig.clock.advance(Duration.ofSeconds(6));
        assertThat(source.handle(full)).isTrue();
        assertThat(full.status()).isEqualTo(503);
        assertThat(full.answerHeader("Retry-After")).isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource({
        "application/x-protobuf, V1",
        "APPLICATION/X-Protobuf ; charset=utf-8, V1",
        "application/x-protobuf;proto=prometheus.WriteRequest, V1",
        "application/x-protobuf; proto=\"io.prometheus.write.v2.Request\", V2",
        "application/x-protobuf;PROTO=IO.PROMETHEUS.WRITE.V2.REQUEST;q=1, V2",
        ", V1",
        "application/x-protobuf;proto=io.prometheus.write.v3.Request, ",
        "application/x-protobuf;proto, ",
        "application/x-protobuffer, ",
        "application/json, ",
        "'', "
    })
    void selectsTheVersionByContentType(String type, RemoteWriteVersion version) {
        assertThat(RemoteWriteVersion.of(type)).isEqualTo(version);
        HttpRefusal refusal = source.admit(post(type, FIRST));
        assertThat(refusal == null).isEqualTo(version != null);
        if (refusal != null) {
            assertThat(refusal.status()).isEqualTo(415);
            assertThat(new String(refusal.body(), UTF_8)).contains("application/x-protobuf");
        }
    }

    @Test
    void answersOtherPathsAndMethods() {
        assertThat(handled(new MemoryExchange("POST", "/write").header("content-type", V1))
                        .status())
                .isEqualTo(404);
        MemoryExchange get = handled(new MemoryExchange("GET", "/api/v1/write"));
        assertThat(get.status()).isEqualTo(405);
        assertThat(get.answerHeader("Allow")).isEqualTo("POST");
    }
}
