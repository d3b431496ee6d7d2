package io.chimera.common.config.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LaneCountTest {
    private static final long MIB = 1 << 20;

    @ParameterizedTest
    @CsvSource({"1, 1", "4, 1", "7, 1", "8, 2", "11, 2", "12, 3", "63, 15", "64, 16", "256, 16"})
    void autoIsAQuarterOfTheProcessors(int processors, int lanes) {
        assertThat(LaneCount.AUTO.in(processors, 64L << 30)).isEqualTo(lanes);
    }

    @ParameterizedTest
    @CsvSource({"16, 1", "128, 1", "255, 1", "256, 2", "512, 4", "2048, 16", "4096, 16"})
    void autoLeavesEachLaneEnoughMemory(long mebibytes, int lanes) {
        assertThat(LaneCount.AUTO.in(64, mebibytes * MIB)).isEqualTo(lanes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "7", "64"})
    void aNumberHoldsOnEveryMachine(String number) {
        LaneCount lanes = LaneCount.parse(number);

        assertThat(lanes.in(2, 16 * MIB)).isEqualTo(Integer.parseInt(number));
        assertThat(lanes).hasToString(number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "65", "-1", "1.5", "", "Auto", "007"})
    void refusesOtherTexts(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> LaneCount.parse(text));
    }
}
