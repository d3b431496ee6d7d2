package io.chimera.archive.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.archive.server.answer.AnswerReader;
import io.chimera.archive.server.volume.Volume;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.MemoryExchange;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Arbitrary HTTP input, to a recorder or from a recorder, leads to an answer or a refusal, never to an internal error.
 */
final class QueryServiceFuzz {
    private static final List<String> FORMATS = List.of("pcap", "json", "text", "count");

    private final Clock clock = new SystemClock();
    private final Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);
    private final QueryService service;

    QueryServiceFuzz() throws IOException {
        Path folder = Files.createTempDirectory("query-fuzz");
        Volume volume = RecordedVolume.in(folder, clock, counters);
        Files.delete(folder.resolve("volume")); // stays readable while open
        Files.delete(folder);
        service = new QueryService(volume, QueryService.TIME_MAX_DEFAULT, clock, counters);
    }

    @FuzzTest(maxDuration = "1m")
    void answersOrRefusesAnyRequest(FuzzedDataProvider data) {
        boolean isStenographer = data.consumeBoolean();
        MemoryExchange exchange =
                new MemoryExchange("POST", isStenographer ? QueryService.STENOGRAPHER_PATH : QueryService.PATH);
        if (data.consumeBoolean()) {
            exchange.with("format", data.consumeBoolean() ? data.pickValue(FORMATS) : data.consumeString(8));
        }
        if (data.consumeBoolean()) {
            exchange.header("steno-limit-packets", data.consumeString(20));
        }
        if (data.consumeBoolean()) {
            exchange.header("steno-limit-bytes", data.consumeString(20));
        }
        if (data.consumeBoolean()) {
            exchange.with("timeout", data.consumeString(12));
        }
        if (data.consumeBoolean()) {
            exchange.header("query-timeout", data.consumeString(12));
        }
        if (data.consumeBoolean()) {
            exchange.with("explain", data.consumeBoolean() ? "1" : data.consumeString(5));
        }
        service.handle(exchange.body(data.consumeRemainingAsString()));
        while (exchange.status() == 0) {
            Thread.onSpinWait();
        }
        assertThat(exchange.status()).isIn(200, 400, 504);
    }

    @FuzzTest(maxDuration = "1m")
    void readsAnyAnswer(FuzzedDataProvider data) throws IOException {
        String line = data.consumeBoolean()
                ? "{\"time\":\"2026-01-31T12:00:00.5Z\",\"src\":\"10.0.0.1\",\"dst\":\"::1\",\"src_port\":1}\n"
                : "";
        byte[] bytes = (line + data.consumeRemainingAsString()).getBytes(StandardCharsets.UTF_8);
        try (AnswerReader answer = new AnswerReader(new ByteArrayInputStream(bytes))) {
            while (answer.next()) {
                assertThat(answer.packets()).isZero(); // known only at the end
            }
        } catch (ChimeraException e) {
            assertThat(e).hasMessageContaining("invalid or incomplete");
        }
    }
}
