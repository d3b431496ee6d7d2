package io.chimera.queue.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.MemoryExchange;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.queue.parser.InfluxLineParser;
import io.chimera.queue.source.reject.RejectList;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PointRequestTest {
    /** Fails before or after the answer. */
    private record FailingDialect(boolean answersFirst) implements HttpDialect {
        @Override
        public void accepted(HttpExchange exchange, Written written) {
            if (answersFirst) {
                exchange.respond(204, Map.of(), new byte[0]);
            }
            throw new IllegalArgumentException("no answer");
        }

        @Override
        public void rejected(HttpExchange exchange, RejectList rejects, Written written) {
            throw new AssertionError();
        }

        @Override
        public void refused(HttpExchange exchange, int status, int retrySeconds, String reason) {
            throw new AssertionError();
        }
    }

    private final MemoryExchange exchange = new MemoryExchange("POST", "/write").body("m v=1 1");

    @TempDir
    Path folder;

    private SourceRig rig;

    @BeforeEach
    void setUp() {
        rig = new SourceRig(folder, 4, 4096);
    }

    private void send(boolean answersFirst) {
        InputContext inlet = rig.inlet(InfluxLineParser::new);
        assertThat(new PointRequest(exchange, inlet, new FailingDialect(answersFirst), 1).proceed())
                .isTrue();
        rig.journal();
    }

    @Test
    void endsTheConnectionWhenTheAnswerCannotBeBuilt() {
        send(false);

        assertThat(exchange.status()).isEqualTo(500);
        assertThat(exchange.answerHeader("Connection")).isEqualTo("close");
        assertThat(rig.points).hasSize(1);
        assertThat(rig.errors).singleElement().isInstanceOfSatisfying(ChimeraException.class, error -> {
            assertThat(error.category()).isEqualTo(Category.ERROR);
            assertThat(error).hasMessageContaining("POST /write");
        });
    }

    @Test
    void keepsAnAnswerBeforeTheFailure() {
        send(true);

        assertThat(exchange.status()).isEqualTo(204);
        assertThat(rig.errors).hasSize(1);
    }

    @Test
    void encodesAnUnpairedSurrogateOfAReason() {
        byte[] answer = JsonAnswer.object(json -> json.writeStringField("error", "bad \ud800"));

        assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo("{\"error\":\"bad ?\"}\n");
    }
}
