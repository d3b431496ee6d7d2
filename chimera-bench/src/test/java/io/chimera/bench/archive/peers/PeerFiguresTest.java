package io.chimera.bench.archive.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class PeerFiguresTest {
    @Test
    void comparesWhatBothHaveAndLeavesOutTheRest() {
        PeerResults results = new PeerResults();
        results.add(PeerFigures.LIVE_CPU, 600);
        results.add(PeerFigures.STENOGRAPHER_CPU, 1000);
        results.addMedian(PeerFigures.MISS, 9, 2, 1);
        results.add(PeerFigures.POSTGRES_SCAN, 90);
        PeerFigures figures = new PeerFigures(results);

        assertThat(figures.ratios().get("stenographer_cpu")).isEqualByComparingTo("0.6");
        assertThat(figures.goals().get("stenographer_cpu").met()).isTrue();
        assertThat(figures.ratios().get("postgres_scan")).isEqualByComparingTo("45");
        assertThat(figures.goals().get("postgres_scan").met()).isFalse();
        assertThat(figures.ratios()).doesNotContainKeys("stenographer_hit", "postgres_copy");
        assertThat(figures.figures().get(PeerFigures.MISS)).isEqualTo(new BigDecimal("2.000"));
    }
}
