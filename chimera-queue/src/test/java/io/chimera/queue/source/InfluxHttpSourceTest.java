package io.chimera.queue.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.channel.HttpRefusal;
import io.chimera.common.channel.MemoryExchange;
import io.chimera.common.channel.WireProtocol;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.Completion;
import io.chimera.queue.parser.InfluxLineParser;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class InfluxHttpSourceTest {
    @TempDir
    Path folder;

    private SourceRig rig;
    private InfluxHttpSource source;

    @BeforeEach
    void setUp() {
        rig = new SourceRig(folder, 4, 4096);
        source = new InfluxHttpSource(rig.inlet(InfluxLineParser::new));
    }

    private MemoryExchange handled(MemoryExchange exchange) {
        assertThat(source.handle(exchange)).isTrue();
        return exchange;
    }

    private MemoryExchange journaled(MemoryExchange exchange) {
        handled(exchange);
        rig.journal();
        return exchange;
    }

    private static MemoryExchange write1(String body) {
        return new MemoryExchange("POST", "/write").with("db", "telegraf").body(body);
    }

    private static MemoryExchange write2(String body) {
        return new MemoryExchange("POST", "/api/v2/write").with("bucket", "b").body(body);
    }

    @Test
    void answersWhenThePointsAreJournaled() {
        MemoryExchange exchange = handled(write1("m f=1\nm f=2\n"));
        assertThat(exchange.status()).isZero();

        rig.takeSlots();
        assertThat(exchange.status()).isZero();
        rig.completions.forEach(Completion::journaled);

        assertThat(exchange.status()).isEqualTo(204);
        assertThat(exchange.answerHeader("X-Influxdb-Version")).isEqualTo("1.8.10");
        assertThat(rig.values("f")).containsExactly(1.0, 2.0);
        assertThat(rig.count(QueueCounter.SOURCE_REQUESTS)).isEqualTo(1);
        assertThat(rig.count(QueueCounter.SOURCE_BYTES_RECEIVED)).isEqualTo(12);
    }

    @Test
    void refusesWebPagesAndOtherHosts() {
        HttpRefusal page = source.admit(write1("m f=1\n").header("origin", "http://evil.example"));
        HttpRefusal rebound = source.admit(write2("m f=1\n").header("host", "evil.example:8086"));

        assertThat(page.status()).isEqualTo(403);
        assertThat(new String(page.body(), UTF_8)).contains("\"error\"").contains("web page");
        assertThat(rebound.status()).isEqualTo(421);
        assertThat(new String(rebound.body(), UTF_8))
                .contains("\"code\":\"invalid\"")
                .contains("node.host");
        assertThat(rig.count(QueueCounter.SOURCE_REQUESTS_BAD)).isEqualTo(2);
        assertThat(source.admit(write1("m f=1\n").header("host", "localhost:8086")))
                .isNull();
    }

    @Test
    void answersAnEmptyBodyAtOnce() {
        assertThat(handled(write1("")).status()).isEqualTo(204);
        assertThat(handled(write2("\n# nothing\n")).status()).isEqualTo(204);
    }

    @ParameterizedTest
    @CsvSource({
        "/write, n, 1",
        "/write, ns, 1",
        "/write, u, 1000",
        "/write, µ, 1000",
        "/write, us, 1000",
        "/write, ms, 1000000",
        "/write, s, 1000000000",
        "/write, m, 60000000000",
        "/write, h, 3600000000000",
        "/write, '', 1",
        "/api/v2/write, ns, 1",
        "/api/v2/write, us, 1000",
        "/api/v2/write, ms, 1000000",
        "/api/v2/write, s, 1000000000",
    })
    void takesTheUnitOfTimestampsFromTheRequest(String path, String precision, long unitNs) {
        journaled(new MemoryExchange("POST", path).with("precision", precision).body("m f=1 400000"));

        assertThat(rig.points.get(0).timeNs()).isEqualTo(400_000 * unitNs);
    }

    @Test
    void refusesUnitsItDoesNotKnow() {
        MemoryExchange first = handled(write1("m f=1").with("precision", "d"));
        assertThat(first.status()).isEqualTo(400);
        assertThat(first.answer()).isEqualTo("{\"error\":\"invalid precision \\\"d\\\" (use n, u, ms, s, m or h)\"}\n");

        MemoryExchange second = handled(write2("m f=1").with("precision", "m"));
        assertThat(second.status()).isEqualTo(400);
        assertThat(second.answer())
                .isEqualTo(
                        "{\"code\":\"invalid\",\"message\":\"invalid precision \\\"m\\\" (use ns, us, ms or s)\"}\n");
        assertThat(rig.takeSlots()).isZero();
    }

    @Test
    void namesTheProtocolOfASenderInTheAnswer() {
        source = new InfluxHttpSource(rig.inlet(InfluxLineParser::new).speaking(WireProtocol.INFLUX));

        MemoryExchange first = journaled(write1("[{\"values\":[1],\"host\":\"a\"}]\n"));
        MemoryExchange second = journaled(write2("host.load 1 1700000000\n"));

        assertThat(first.answer()).contains("dropped=1. This looks like JSON");
        assertThat(second.answer()).contains("1 of 1 points rejected").contains("Graphite plaintext");
        rig.deadLetters.doWork();
        assertThat(rig.deadLetters.warnings()).allMatch(warning -> warning.contains("sender: 127.0.0.1:40000."));
    }

    @Test
    void refusesPrometheusByNameBeforeItsBodyIsRead() {
        source = new InfluxHttpSource(rig.inlet(InfluxLineParser::new).speaking(WireProtocol.INFLUX));
        MemoryExchange remoteWrite = new MemoryExchange("POST", "/api/v1/write").header("content-encoding", "snappy");

        HttpRefusal refusal = source.admit(remoteWrite);

        assertThat(refusal.status()).isEqualTo(415);
        assertThat(new String(refusal.body(), UTF_8)).contains("\"error\":\"This looks like Prometheus remote write");
        assertThat(rig.count(QueueCounter.SOURCE_REQUESTS)).isEqualTo(1);
        assertThat(rig.count(QueueCounter.SOURCE_REQUESTS_BAD)).isEqualTo(1);
        rig.deadLetters.doWork();
        assertThat(rig.deadLetters.warnings()).singleElement().asString().contains("Prometheus remote write");
        assertThat(source.admit(write1("m f=1"))).isNull();
    }

    @Test
    void countsAndReportsRequestsThatTheListenerRefused() {
        InetSocketAddress client = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7);
        source.onRefused(413, "The body has more than 5 bytes.", "POST /write", client);
        source.onRefused(408, "The headers did not arrive within 5 ms.", "", client);
        source.onRefused(503, "Too many requests.", "POST /write", client);
        handled(new MemoryExchange("POST", "/nowhere"));
        handled(new MemoryExchange("GET", "/"));

        assertThat(rig.count(QueueCounter.SOURCE_REQUESTS)).isEqualTo(5);
        assertThat(rig.count(QueueCounter.SOURCE_REQUESTS_BAD)).isEqualTo(4);
        assertThat(rig.count(QueueCounter.SOURCE_REQUESTS_REFUSED)).isEqualTo(1);
        rig.deadLetters.doWork();
        assertThat(rig.deadLetters.warnings())
                .as("not of slow clients, of a full node and of scanners")
                .hasSize(2)
                .anyMatch(warning -> warning.contains("more than 5 bytes. Last sampled sender: 127.0.0.1:7."))
                .anyMatch(warning -> warning.contains("unknown path"));
    }

    @Test
    void keepsGoodLinesAndNamesBadOnesAsInfluxDb1Does() {
        MemoryExchange exchange = journaled(write1("m f=1\nbad\nm f=2\nm f=x\n"));

        assertThat(rig.values("f")).containsExactly(1.0, 2.0);
        assertThat(exchange.status()).isEqualTo(400);
        assertThat(exchange.answer())
                .isEqualTo("{\"error\":\"partial write: unable to parse 'bad': missing fields (line 2)\\n"
                        + "unable to parse 'm f=x': invalid field value: a number, true, false or text in double quotes is"
                        + " expected (line 4) dropped=2\"}\n");
        assertThat(rig.count(QueueCounter.SOURCE_REQUESTS_BAD)).isEqualTo(1);
        assertThat(rig.count(QueueCounter.PARSER_POINTS_REJECTED)).isEqualTo(2);
    }

    @Test
    void saysSoWhenEveryLineIsBad() {
        assertThat(handled(write1("bad")).answer())
                .isEqualTo("{\"error\":\"unable to parse 'bad': missing fields (line 1) dropped=1\"}\n");
        assertThat(handled(write2("bad")).answer())
                .isEqualTo(
                        "{\"code\":\"invalid\",\"message\":\"1 of 1 points rejected, none written: line 1: missing fields\","
                                + "\"line\":1}\n");
    }

    @Test
    void keepsGoodLinesAndNamesBadOnesAsInfluxDb2Does() {
        MemoryExchange exchange = journaled(write2("m f=1\n\nbad\nm,a= f=2\n"));

        assertThat(rig.values("f")).containsExactly(1.0);
        assertThat(exchange.status()).isEqualTo(400);
        assertThat(exchange.answer())
                .isEqualTo("{\"code\":\"invalid\",\"message\":\"2 of 3 points rejected, the others written:"
                        + " line 3: missing fields; line 4: missing tag value\",\"line\":3}\n");
    }

    @Test
    void answersARequestOfManyBadLinesBriefly() {
        MemoryExchange exchange = handled(write2("bad\n".repeat(5_000)));

        assertThat(exchange.answer())
                .contains("5000 of 5000")
                .contains("; and more")
                .hasSizeLessThan(10_000);
    }

    @Test
    void waitsWhileTheRingIsFullAndGoesOnWhereItWas() {
        String body = ("m f=1,text=\"" + "x".repeat(400) + "\"\n").repeat(100);
        MemoryExchange exchange = write1(body);
        int calls = 1;
        while (!source.handle(exchange)) {
            assertThat(exchange.status()).isZero();
            calls++;
            rig.clock.advance(Duration.ofSeconds(4));
            rig.takeSlots(1);
        }
        rig.journal();

        assertThat(calls).isGreaterThan(5);
        assertThat(exchange.status()).isEqualTo(204);
        assertThat(rig.points).hasSize(100);
    }

    @Test
    void refusesWhenTheRingStaysFull() {
        rig.fillRing();
        MemoryExchange first = write1("m f=1");
        MemoryExchange second = write2("m f=1");
        assertThat(source.handle(first)).isFalse();
        assertThat(source.handle(second)).isFalse();
        rig.clock.advance(Duration.ofMillis(4_900));
        assertThat(source.handle(first)).isFalse();
        rig.clock.advance(Duration.ofMillis(200));

        assertThat(source.handle(first)).isTrue();
        assertThat(source.handle(second)).isTrue();

        assertThat(first.status()).isEqualTo(503);
        assertThat(first.answerHeader("Retry-After")).isEqualTo("1");
        assertThat(first.answer()).startsWith("{\"error\":\"The node cannot accept points");
        assertThat(second.status()).isEqualTo(503);
        assertThat(second.answer()).startsWith("{\"code\":\"unavailable\"");
        assertThat(rig.count(QueueCounter.SOURCE_REQUESTS_REFUSED)).isEqualTo(2);
        assertThat(rig.count(QueueCounter.SOURCE_REQUESTS)).isEqualTo(2);
    }

    @Test
    void refusesWhenTheJournalFails() {
        MemoryExchange exchange = handled(write1("m f=1\nbad"));
        rig.takeSlots();
        rig.completions.get(0).failed("The disk is full.");

        assertThat(exchange.status()).isEqualTo(503);
        assertThat(exchange.answer()).isEqualTo("{\"error\":\"The disk is full.\"}\n");
        assertThat(exchange.answerHeader("Retry-After")).isEqualTo("1");
    }

    @Test
    void requestsThatWaitDoNotDisturbEachOther() {
        MemoryExchange large = write1("m f=1\n".repeat(1_000));
        assertThat(source.handle(large)).isFalse();
        rig.takeSlots(1);
        MemoryExchange small = write1("n g=2");
        assertThat(source.handle(small)).isTrue();
        while (!source.handle(large)) {
            rig.journal();
        }
        rig.journal();

        assertThat(small.status()).isEqualTo(204);
        assertThat(large.status()).isEqualTo(204);
        assertThat(rig.points).hasSize(1_001);
        assertThat(rig.points.stream().filter(point -> point.key().metric().equals("n")))
                .hasSize(1);
    }

    @Test
    void answersClientsThatCreateADatabaseFirst() {
        MemoryExchange get = handled(new MemoryExchange("GET", "/query").with("q", "CREATE DATABASE x"));
        assertThat(get.status()).isEqualTo(200);
        assertThat(get.answer()).isEqualTo("{\"results\":[{\"statement_id\":0}]}\n");
        MemoryExchange post =
                handled(new MemoryExchange("POST", "/query").body("db=x&q=create+database+%22telegraf%22"));
        assertThat(post.answer()).isEqualTo("{\"results\":[{\"statement_id\":0}]}\n");
        assertThat(handled(new MemoryExchange("GET", "/query").with("q", "SHOW DATABASES"))
                        .status())
                .isEqualTo(200);
        for (String query : List.of("SELECT * FROM cpu", "", "%")) {
            MemoryExchange other = handled(new MemoryExchange("POST", "/query").body("q=" + query));
            assertThat(other.status()).isEqualTo(400);
            assertThat(other.answer()).contains("queries");
        }
    }

    @Test
    void answersProbes() {
        assertThat(handled(new MemoryExchange("GET", "/ping")).status()).isEqualTo(204);
        assertThat(handled(new MemoryExchange("HEAD", "/ping")).answerHeader("X-Influxdb-Version"))
                .isNotEmpty();
        MemoryExchange health = handled(new MemoryExchange("GET", "/health"));
        assertThat(health.status()).isEqualTo(200);
        assertThat(health.answer()).contains("\"status\":\"pass\"");
    }

    @Test
    void saysWhereToGoInstead() {
        MemoryExchange unknown = handled(new MemoryExchange("POST", "/api/v3/write_lp"));
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.answer()).contains("/api/v2/write");
        MemoryExchange get = handled(new MemoryExchange("GET", "/write"));
        assertThat(get.status()).isEqualTo(405);
        assertThat(get.answerHeader("Allow")).isEqualTo("POST");
    }
}
