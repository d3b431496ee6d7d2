package io.chimera.queue.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.channel.MemoryExchange;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.parser.OpenTsdbJsonParser;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OpenTsdbHttpSourceTest {
    private static final String GOOD = "{\"metric\":\"m\",\"timestamp\":1400000000,\"value\":2,\"tags\":{\"a\":\"b\"}}";

    @TempDir
    Path folder;

    private SourceRig rig;
    private OpenTsdbHttpSource source;

    @BeforeEach
    void setUp() {
        rig = new SourceRig(folder, 4, 4096);
        source = new OpenTsdbHttpSource(rig.inlet(OpenTsdbJsonParser::new));
    }

    private MemoryExchange handled(MemoryExchange exchange) {
        assertThat(source.handle(exchange)).isTrue();
        return exchange;
    }

    private static MemoryExchange put(String body) {
        return new MemoryExchange("POST", "/api/put").body(body);
    }

    @Test
    void answersWhenThePointsAreJournaled() {
        MemoryExchange exchange = handled(put("[" + GOOD + "," + GOOD + "]"));
        assertThat(exchange.status()).isZero();

        rig.journal();

        assertThat(exchange.status()).isEqualTo(204);
        assertThat(exchange.answer()).isEmpty();
        assertThat(rig.values("value")).containsExactly(2L, 2L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"summary | {\"failed\":0,\"success\":2}", "details | {\"errors\":[],\"failed\":0,\"success\":2}"})
    void countsThePointsOnRequest(String parameter, String answer) {
        MemoryExchange exchange = handled(put("[" + GOOD + "," + GOOD + "]").with(parameter, ""));
        rig.journal();

        assertThat(exchange.status()).isEqualTo(200);
        assertThat(exchange.answer()).isEqualTo(answer + "\n");
    }

    @Test
    void keepsGoodPointsAndNamesBadPointsOnRequest() {
        String body = "[" + GOOD + ",{\"metric\":\"x\"},{\"metric\":\"" + "y".repeat(300) + "\"},nonsense";
        MemoryExchange plain = handled(put(body));
        MemoryExchange summary = handled(put(body).with("summary", ""));
        MemoryExchange details = handled(put(body).with("details", ""));
        rig.journal();

        assertThat(rig.points).hasSize(3);
        assertThat(plain.status()).isEqualTo(400);
        assertThat(plain.answer())
                .startsWith("{\"error\":{\"code\":400,\"message\":\"One or more data points had errors")
                .contains("missing time");
        assertThat(summary.status()).isEqualTo(400);
        assertThat(summary.answer()).isEqualTo("{\"failed\":3,\"success\":1}\n");
        assertThat(details.status()).isEqualTo(400);
        assertThat(details.answer())
                .startsWith(
                        "{\"errors\":[{\"datapoint\":{\"metric\":\"x\"},\"error\":\"missing time\"},{\"datapoint\":\"{\\\"")
                .contains("{\"datapoint\":\"nonsense\",\"error\":\"invalid JSON")
                .endsWith("],\"failed\":3,\"success\":1}\n");
        assertThat(rig.count(QueueCounter.PARSER_POINTS_REJECTED)).isEqualTo(9);
    }

    @Test
    void repeatsAnUnpairedSurrogateAsAnEscape() {
        MemoryExchange exchange =
                handled(put("[{\"metric\":\"\\ud800\",\"x\":\"é\"}]").with("details", ""));
        rig.journal();

        assertThat(exchange.status()).isEqualTo(400);
        assertThat(exchange.answer()).containsIgnoringCase("\"datapoint\":{\"metric\":\"\\ud800\",\"x\":\"\\u00e9\"}");
        assertThat(rig.errors).isEmpty();
    }

    @Test
    void refusesWhenTheRingStaysFull() {
        rig.fillRing();
        MemoryExchange exchange = put(GOOD);
        assertThat(source.handle(exchange)).isFalse();
        rig.clock.advance(Duration.ofSeconds(6));

        assertThat(source.handle(exchange)).isTrue();

        assertThat(exchange.status()).isEqualTo(503);
        assertThat(exchange.answerHeader("Retry-After")).isEqualTo("1");
        assertThat(exchange.answer())
                .startsWith("{\"error\":{\"code\":503,\"message\":\"The node cannot accept points");
    }

    @Test
    void answersRequestsOfClientsAtTheirStart() {
        assertThat(handled(new MemoryExchange("GET", "/api/version")).answer()).contains("\"version\":\"2.4.0\"");
        assertThat(handled(new MemoryExchange("GET", "/api/aggregators")).answer())
                .startsWith("[");
        assertThat(handled(new MemoryExchange("GET", "/api/config/filters")).answer())
                .isEqualTo("{}\n");
    }

    @Test
    void refusesOtherPathsMethodsAndEmptyBodies() {
        MemoryExchange unknown = handled(new MemoryExchange("POST", "/api/query"));
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.answer()).contains("POST /api/put");
        assertThat(handled(new MemoryExchange("GET", "/api/put")).status()).isEqualTo(405);
        assertThat(handled(put("")).status()).isEqualTo(400);
    }
}
