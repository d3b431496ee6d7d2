package io.chimera.common.config.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "0s, PT0S, 0s",
        "1500us, PT0.0015S, 1500us",
        "250ms, PT0.25S, 250ms",
        "1000ms, PT1S, 1s",
        "10s, PT10S, 10s",
        "90s, PT1M30S, 90s",
        "5 m, PT5M, 5m",
        "36h, PT36H, 36h",
        "2d, PT48H, 2d"
    })
    void readsAndWrites(String text, Duration duration, String shortest) {
        assertThat(Durations.parse(text)).isEqualTo(duration);
        assertThat(Durations.format(duration)).isEqualTo(shortest);
        assertThat(Durations.parse(shortest)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "s", "-1s", "1.5s", "10 sec", "PT10S", "1m30s"})
    void refusesWhatIsNoDuration(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Durations.parse(text))
                .withMessageContaining("use e.g. 250ms");
    }
}
