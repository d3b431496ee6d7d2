package io.chimera.common.config.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CyclePeriodTest {
    @Test
    void readsAuto() {
        assertThat(CyclePeriod.parse("auto").isAuto()).isTrue();
        assertThat(CyclePeriod.AUTO).hasToString("auto");
    }

    @Test
    void readsADuration() {
        CyclePeriod period = CyclePeriod.parse("1500ms");

        assertThat(period.isAuto()).isFalse();
        assertThat(period.fixed()).isEqualTo(Duration.ofMillis(1500));
        assertThat(period).hasToString("1500ms");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Auto", "", "0s", "-1s", "ten"})
    void refusesOtherTexts(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> CyclePeriod.parse(text));
    }
}
