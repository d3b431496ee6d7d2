package io.chimera.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CycleTimesTest {
    @Test
    void eachCycleIsTakenOnceEvenWhenALaterOneWasCommittedFirst() throws IOException {
        CycleTimes times = new CycleTimes();

        assertThat(times.take(status("4:30", "6:50"))).containsExactly(30L, 50L);
        assertThat(times.take(status("6:50", "5:40", "7:-1"))).containsExactly(40L);
        assertThat(times.take(status("5:40", "7:-1"))).isEmpty();
    }

    @Test
    void percentilesAreTimesThatWereSeen() {
        assertThat(CycleTimes.percentile(List.of(4L, 1L, 3L, 2L), 50)).isEqualTo(2);
        assertThat(CycleTimes.percentile(List.of(4L, 1L, 3L, 2L), 99)).isEqualTo(4);
        assertThat(CycleTimes.percentile(List.of(9L), 50)).isEqualTo(9);
    }

    private static JsonNode status(String... cycles) throws IOException {
        StringBuilder json = new StringBuilder();
        for (String cycle : cycles) {
            int colon = cycle.indexOf(':');
            json.append(json.length() == 0 ? "" : ",")
                    .append("{\"cycle\":%s,\"commit_latency_ms\":%s}"
                            .formatted(cycle.substring(0, colon), cycle.substring(colon + 1)));
        }
        return new ObjectMapper().readTree("{\"committed\":[" + json + "]}");
    }
}
