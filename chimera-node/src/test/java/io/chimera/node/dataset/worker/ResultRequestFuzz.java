package io.chimera.node.dataset.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.common.channel.MemoryExchange;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Any parameters of a request either name a part of a result, or none: no path, no memory and no failure beyond. */
final class ResultRequestFuzz {
    private static final List<String> NAMES = List.of("job", "run", "kind", "number", "offset", "length");
    private static final List<String> SOUND = List.of("a-b", "00000000000000ff", "SPLIT", "7", "123456789", "1048576");

    @FuzzTest
    void readsAnyParameters(FuzzedDataProvider data) {
        MemoryExchange exchange = new MemoryExchange("POST", ResultRequest.PATH);
        for (int i = 0; i < NAMES.size(); i++) {
            if (data.consumeBoolean()) {
                exchange.with(NAMES.get(i), data.consumeBoolean() ? SOUND.get(i) : data.consumeString(30));
            }
        }
        read(exchange);
    }

    @Test
    void readsChangedParametersOfASoundRequest() {
        Random random = new Random(20261129);
        int sound = 0;
        for (int round = 0; round < 20_000; round++) {
            MemoryExchange exchange = new MemoryExchange("POST", ResultRequest.PATH);
            int changed = random.nextInt(NAMES.size());
            for (int i = 0; i < NAMES.size(); i++) {
                StringBuilder value = new StringBuilder(SOUND.get(i));
                if (i == changed) {
                    value.setCharAt(random.nextInt(value.length()), (char) (32 + random.nextInt(1_000)));
                }
                exchange.with(NAMES.get(i), value.toString());
            }
            sound += read(exchange) ? 1 : 0;
        }
        assertThat(sound).as("some changes leave the request sound").isBetween(200, 10_000);
    }

    private static boolean read(MemoryExchange exchange) {
        Optional<ResultRequest> read = ResultRequest.of(exchange);
        read.ifPresent(request -> {
            assertThat(request.length()).isBetween(0, ResultRequest.LENGTH_MAX);
            assertThat(request.offset()).isNotNegative();
            assertThat(request.offset() + request.length()).as("no overflow").isNotNegative();
            assertThat(request.task().number()).isNotNegative();
            assertThat(request.job().name()).matches("[A-Za-z0-9_-]+");
            assertThat(request.query())
                    .startsWith(ResultRequest.PATH + "?job=" + request.job().name());
        });
        return read.isPresent();
    }
}
