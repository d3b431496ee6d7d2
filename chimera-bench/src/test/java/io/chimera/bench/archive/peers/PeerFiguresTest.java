package io.chimera.bench.archive.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.bench.report.Findings;
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
        Findings figures = PeerFigures.of(results);

        assertThat(figures.ratios().get("stenographer_cpu")).isEqualByComparingTo("0.6");
        assertThat(figures.goals().get("stenographer_cpu").met()).isTrue();
        assertThat(figures.ratios().get("postgres_scan")).isEqualByComparingTo("45");
        assertThat(figures.goals().get("postgres_scan").met()).isFalse();
        assertThat(figures.ratios()).doesNotContainKeys("stenographer_hit", "postgres_copy", "index_miss_share");
        assertThat(figures.figures().get(PeerFigures.MISS)).isEqualTo(new BigDecimal("2.000"));
    }

    @Test
    void judgesTheIndexOfCapturesAndOfMadeUpTrafficApart() {
        PeerResults results = new PeerResults();
        results.add(PeerFigures.INDEX_BYTES, 0.79);
        results.add(PeerFigures.made(PeerFigures.INDEX_BYTES), 6.22);
        results.add(PeerFigures.INDEX_MISS_READS, 150);
        results.add(PeerFigures.INDEX_MISS_BYTES, 3e6);
        results.add(PeerFigures.INDEX_MISS_DATA, 3e10);
        Findings figures = PeerFigures.of(results);

        assertThat(figures.goals().get("index_bytes_per_packet").met()).isTrue();
        assertThat(figures.goals().get("index_made_bytes_per_packet").met()).isFalse();
        assertThat(figures.goals().get("index_miss_reads").met()).isTrue();
        assertThat(figures.ratios().get("index_miss_share")).isEqualByComparingTo("0.0001");
    }

    @Test
    void judgesWhatIndexNodesAreSentOfCapturesAndTellsItOfMadeUpTraffic() {
        PeerResults results = new PeerResults();
        results.add(PeerFigures.DISTRIBUTED_BYTES, 0.126);
        results.add(PeerFigures.made(PeerFigures.DISTRIBUTED_BYTES), 2.497);
        Findings figures = PeerFigures.of(results);

        assertThat(figures.figures().get("distributed_index_bytes_per_packet")).isEqualTo(new BigDecimal("0.13"));
        assertThat(figures.figures().get("distributed_index_made_bytes_per_packet"))
                .isEqualTo(new BigDecimal("2.50"));
        assertThat(figures.goals()).containsOnlyKeys("distributed_index_bytes_per_packet");
        assertThat(figures.goals().get("distributed_index_bytes_per_packet").goal())
                .isEqualByComparingTo("0.5");
        assertThat(figures.goals().get("distributed_index_bytes_per_packet").met())
                .isTrue();
    }
}
