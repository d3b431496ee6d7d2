package io.chimera.common.config.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CoreListsTest {
    @Test
    void readsRangesAndSingleCores() {
        assertThat(CoreLists.ofLane(List.of("0,2,8-10"), 0)).containsExactly(0, 2, 8, 9, 10);
    }

    @Test
    void oneListIsForAllLanes() {
        assertThat(CoreLists.ofLane(List.of("3"), 5)).containsExactly(3);
        assertThat(CoreLists.ofLane(List.of("3", "4"), 1)).containsExactly(4);
        assertThat(CoreLists.ofLane(List.of(), 1)).isEmpty();
        assertThat(CoreLists.fit(List.of("3", "4"), 3)).isFalse();
        assertThat(CoreLists.fit(List.of("3"), 3)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "1-", "-1", "3-1", "1,,2", "0-4096", "99999", "1 2", "0-3 "})
    void refusesOtherTexts(String text) {
        assertThat(CoreLists.areValid(List.of(text))).isFalse();
    }
}
