package io.chimera.dataset.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PathPatternTest {
    @ParameterizedTest
    @CsvSource({
        "a.csv, a.csv",
        "*.csv, a.csv",
        "*.csv, .csv",
        "a*b*c, aXbbYc",
        "*a*ab, caaab",
        "2026/*/a.csv, 2026/01/a.csv",
        "2026/**/a.csv, 2026/a.csv",
        "2026/**/a.csv, 2026/01/31/a.csv",
        "**/a.csv, a.csv",
        "**/a.csv, x/y/a.csv",
        "2026/**, 2026/a.csv",
        "2026/**, 2026/01/a.csv",
        "**, a",
        "**/**/*.csv, x/a.csv",
        "**/x/**/y/*, x/x/z/y/a",
        "a+(b).[c]?, a+(b).[c]?"
    })
    void matches(String pattern, String path) {
        assertThat(PathPattern.of(pattern).matches(path)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "a.csv, a_csv",
        "a.csv, x/a.csv",
        "*.csv, a.csv.gz",
        "*.csv, x/a.csv",
        "a*b*c, acb",
        "2026/*/a.csv, 2026/a.csv",
        "2026/*/a.csv, 2026/01/31/a.csv",
        "2026/**/a.csv, 2027/a.csv",
        "2026/**/a.csv, 2026/ba.csv",
        "2026/**, 2026",
        "**/x/*, a/y/b",
        "?, a"
    })
    void doesNotMatch(String pattern, String path) {
        assertThat(PathPattern.of(pattern).matches(path)).isFalse();
    }

    @Test
    void tellsTheFoldersInWhichSomethingMayMatch() {
        PathPattern pattern = PathPattern.of("2026/*/x/*.csv");
        assertThat(pattern.mayMatchBelow("2026")).isTrue();
        assertThat(pattern.mayMatchBelow("2026/01/x")).isTrue();
        assertThat(pattern.mayMatchBelow("2027")).isFalse();
        assertThat(pattern.mayMatchBelow("2026/01/y")).isFalse();
        assertThat(pattern.mayMatchBelow("2026/01/x/a.csv")).isFalse();
        assertThat(PathPattern.of("**/a").mayMatchBelow("x/y/z")).isTrue();
    }

    @Test
    void tellsTheTextInFrontOfTheFirstStar() {
        assertThat(PathPattern.of("2026/a*/b").prefix()).isEqualTo("2026/a");
        assertThat(PathPattern.of("2026/a").prefix()).isEqualTo("2026/a");
        assertThat(PathPattern.of("2026/a").isLiteral()).isTrue();
        assertThat(PathPattern.of("**").isLiteral()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/a", "a/", "a//b", "../a", "a/../b", "a/.", "a\nb", "a**", "x/**.csv"})
    void refusesTextsThatAreNoPatterns(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PathPattern.of(text))
                .withMessageContaining("pattern");
    }

    @Test
    void needsNoMoreThanTheProductOfTheLengths() {
        PathPattern pattern = PathPattern.of("*a".repeat(500) + "*b");
        assertThat(pattern.matches("a".repeat(4000))).isFalse();
        PathPattern deep = PathPattern.of("**/a/".repeat(100) + "b");
        assertThat(deep.matches("a/".repeat(1000) + "c")).isFalse();
    }
}
