package io.chimera.common.config.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ProcessorWeightTest {
    @ParameterizedTest
    @ValueSource(strings = {"auto", "1", "17", "100"})
    void formatsAsItReads(String text) {
        assertThat(ProcessorWeight.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "101", "-1", "0.5", "", "Auto", "007"})
    void refusesOtherTexts(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> ProcessorWeight.parse(text));
    }
}
