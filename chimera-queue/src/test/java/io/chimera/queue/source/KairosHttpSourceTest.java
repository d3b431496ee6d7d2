package io.chimera.queue.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.channel.MemoryExchange;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.parser.KairosJsonParser;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KairosHttpSourceTest {
    private static final String GOOD =
            "{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[1400000000000,2],[1400000000001,3]]}";

    @TempDir
    Path folder;

    private SourceRig rig;
    private KairosHttpSource source;

    @BeforeEach
    void setUp() {
        rig = new SourceRig(folder, 4, 4096);
        source = new KairosHttpSource(rig.inlet(KairosJsonParser::new));
    }

    private MemoryExchange handled(MemoryExchange exchange) {
        assertThat(source.handle(exchange)).isTrue();
        return exchange;
    }

    private static MemoryExchange post(String body) {
        return new MemoryExchange("POST", "/api/v1/datapoints").body(body);
    }

    @Test
    void answersWhenThePointsAreJournaled() {
        MemoryExchange exchange = handled(post("[" + GOOD + "]"));
        assertThat(exchange.status()).isZero();

        rig.journal();

        assertThat(exchange.status()).isEqualTo(204);
        assertThat(rig.values("value")).containsExactly(2L, 3L);
        assertThat(rig.points.get(1).timeNs()).isEqualTo(1_400_000_000_001_000_000L);
    }

    @Test
    void keepsGoodMetricsAndNamesBadOnesAsKairosDbDoes() {
        MemoryExchange exchange = handled(post("[{\"name\":\"x\"}," + GOOD + ",{}]"));
        rig.journal();

        assertThat(rig.points).hasSize(2);
        assertThat(exchange.status()).isEqualTo(400);
        assertThat(exchange.answer())
                .isEqualTo("{\"errors\":[\"metric[0](name=x).tags count must be greater than or equal to 1.\","
                        + "\"metric[2].name may not be null.\"]}\n");
    }

    @Test
    void rejectsEachPointThatIsNotFiniteByNameAndKeepsTheOthers() {
        MemoryExchange exchange = handled(post("[{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":"
                + "[[1,1.5],[2,NaN],[3,2.5],[4,-Infinity],[5,\"NaN\",\"double\"],[6,3.5]]},"
                + "{\"name\":\"n\",\"timestamp\":1,\"value\":NaN,\"tags\":{\"a\":\"b\"}}," + GOOD + "]"));
        rig.journal();

        assertThat(rig.values("value")).containsExactly(1.5, 2.5, 3.5, 2L, 3L);
        assertThat(exchange.status()).isEqualTo(400);
        assertThat(exchange.answer())
                .contains("metric[0](name=m).datapoints[1].value is NaN or infinite")
                .contains("metric[0](name=m).datapoints[3].value is NaN or infinite")
                .contains("metric[0](name=m).datapoints[4].value is NaN or infinite")
                .contains("metric[1](name=n).value is NaN or infinite");
        assertThat(rig.count(QueueCounter.PARSER_POINTS_REJECTED)).isEqualTo(4);
        rig.deadLetters.doWork();
        assertThat(rig.deadLetters.warnings()).hasSize(2).allMatch(warning -> warning.contains("NaN or infinite"));
    }

    @Test
    void rejectsTimesBefore1970WithAReasonAndKeepsTheOthers() {
        MemoryExchange exchange = handled(
                post("{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[-86400000,1],[0,2],[-1,3],[1,4]]}"));
        rig.journal();

        assertThat(rig.values("value")).containsExactly(2L, 4L);
        assertThat(exchange.answer())
                .contains("metric[0](name=m).datapoints[0]: time outside range 1970 to 2262")
                .contains("metric[0](name=m).datapoints[2]: time outside range 1970 to 2262");
        assertThat(rig.count(QueueCounter.PARSER_POINTS_REJECTED)).isEqualTo(2);
    }

    @Test
    void saysHowManyRejectedPointsItDoesNotName() {
        MemoryExchange exchange = handled(post("{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[1,NaN]"
                + ",[1,NaN]".repeat(149) + ",[2,5]]}"));
        rig.journal();

        assertThat(rig.values("value")).containsExactly(5L);
        assertThat(exchange.answer()).contains("And 50 more data points rejected.");
        assertThat(rig.count(QueueCounter.PARSER_POINTS_REJECTED)).isEqualTo(150);
    }

    @Test
    void refusesNothingAndNonsense() {
        assertThat(handled(post("")).answer())
                .isEqualTo("{\"errors\":[\"Invalid json. No content due to end of input.\"]}\n");
        MemoryExchange nonsense = handled(post("nonsense"));
        assertThat(nonsense.status()).isEqualTo(400);
        assertThat(nonsense.answer()).startsWith("{\"errors\":[\"Invalid json");
    }

    @Test
    void waitsWhileTheRingIsFullAndGoesOnWhereItWas() {
        StringBuilder body = new StringBuilder("{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[0,0]");
        for (int i = 1; i < 1_000; i++) {
            body.append(",[").append(i).append(',').append(i).append(']');
        }
        MemoryExchange exchange = post(body.append("]}").toString());
        while (!source.handle(exchange)) {
            rig.clock.advance(Duration.ofSeconds(3));
            rig.takeSlots(2);
        }
        rig.journal();

        assertThat(exchange.status()).isEqualTo(204);
        assertThat(rig.values("value")).hasSize(1_000);
        for (int i = 0; i < 1_000; i++) {
            assertThat(rig.points.get(i).fields().get("value")).isEqualTo((long) i);
        }
    }

    @Test
    void refusesWhenTheRingStaysFull() {
        rig.fillRing();
        MemoryExchange exchange = post(GOOD);
        assertThat(source.handle(exchange)).isFalse();
        rig.clock.advance(Duration.ofSeconds(6));

        assertThat(source.handle(exchange)).isTrue();

        assertThat(exchange.status()).isEqualTo(503);
        assertThat(exchange.answerHeader("Retry-After")).isEqualTo("1");
        assertThat(exchange.answer()).startsWith("{\"errors\":[\"The node cannot accept points");
    }

    @Test
    void aParserThatWasInterruptedBeginsTheNextRequestAnew() {
        rig.fillRing();
        MemoryExchange first = post(GOOD);
        assertThat(source.handle(first)).isFalse();
        rig.clock.advance(Duration.ofSeconds(6));
        assertThat(source.handle(first)).isTrue();
        rig.takeSlots();

        MemoryExchange second = handled(post(GOOD));
        rig.journal();

        assertThat(second.status()).isEqualTo(204);
        assertThat(rig.points).hasSize(2);
    }

    @Test
    void answersProbes() {
        assertThat(handled(new MemoryExchange("GET", "/api/v1/version")).answer())
                .startsWith("{\"version\":\"KairosDB 1.3.0");
        assertThat(handled(new MemoryExchange("GET", "/api/v1/health/check")).status())
                .isEqualTo(204);
        assertThat(handled(new MemoryExchange("GET", "/api/v1/health/status")).status())
                .isEqualTo(200);
    }

    @Test
    void saysWhereToGoInstead() {
        MemoryExchange unknown = handled(new MemoryExchange("POST", "/api/v1/datapoints/query"));
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.answer()).contains("POST /api/v1/datapoints");
        assertThat(handled(new MemoryExchange("GET", "/api/v1/datapoints")).status())
                .isEqualTo(405);
    }
}
