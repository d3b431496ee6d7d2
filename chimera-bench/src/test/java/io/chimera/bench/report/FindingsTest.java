package io.chimera.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

final class FindingsTest {
    @Test
    void aGoalIsForAFigureOrARatioThatWasFound() {
        Findings findings = new Findings();
        findings.figure("cost_ns", new BigDecimal("7.0"));
        findings.ratio("peer", new BigDecimal("2.99"));
        findings.atMost("cost_ns", "7");
        findings.atLeast("peer", "3");
        findings.atLeast("nobody", "3");
        findings.atMost("nothing_ns", "7");

        assertThat(findings.goals()).containsOnlyKeys("cost_ns", "peer");
        assertThat(findings.goals().get("cost_ns").met()).isTrue();
        assertThat(findings.goals().get("peer").met()).isFalse();
    }

    @Test
    void whatOthersFoundComesBehind() {
        Findings findings = new Findings();
        findings.figure("b_ns", BigDecimal.ONE);
        Findings others = new Findings();
        others.figure("a_ns", BigDecimal.TEN);
        others.ratio("c", BigDecimal.TEN);
        others.atMost("a_ns", "1");
        findings.add(others);

        assertThat(findings.figures().keySet()).containsExactly("b_ns", "a_ns");
        assertThat(findings.ratios()).containsOnlyKeys("c");
        assertThat(findings.goals().get("a_ns").met()).isFalse();
    }
}
