package io.chimera.bench.archive.forensics;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.bench.archive.peers.PeerResults;
import io.chimera.bench.report.Findings;
import org.junit.jupiter.api.Test;

final class ForensicsFiguresTest {
    @Test
    void comparesWithStenographerOnlyWhereItWasMeasured() {
        PeerResults results = new PeerResults();
        results.add(ForensicsFigures.WARM, 100);
        assertThat(ForensicsFigures.of(results).ratios()).isEmpty();

        results.add(ForensicsFigures.STENOGRAPHER + ForensicsFigures.WARM, 250);
        results.add(ForensicsFigures.CACHED + ForensicsFigures.WARM, 150);
        Findings figures = ForensicsFigures.of(results);

        assertThat(figures.ratios().get("stenographer_forensics")).isEqualByComparingTo("2.5");
        assertThat(figures.ratios().get("stenographer_forensics_cached")).isEqualByComparingTo("1.5");
        assertThat(figures.goals().get("stenographer_forensics").met()).isFalse();
        assertThat(figures.goals().get("forensics_ms").met()).isTrue();
    }
}
