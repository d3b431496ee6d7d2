package io.chimera.bench.datasets.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class DijetSearchTest {
    private final DijetSearch search = new DijetSearch();

    @Test
    void findsTheMassOfOppositeJets() {
        jet(50_000, 0, 0, 50_000);
        jet(-50_000, 0, 0, 50_000);
        jet(0, 30_000, 0, 30_000);

        assertThat(search.mass(1)).isCloseTo(100, within(1e-9));
    }

    @Test
    void moreTurnsOfTheJetsKeepTheMass() {
        jet(60_000, 10_000, 5_000, 70_000);
        jet(-30_000, 40_000, 9_000, 60_000);

        assertThat(search.mass(50)).isCloseTo(search.mass(1), within(1e-6));
    }

    @Test
    void jetsAlongTheBeamAreNotSelected() {
        jet(50_000, 0, 0, 50_000);
        jet(0, 24_999, 900_000, 900_400);

        assertThat(search.mass(1)).isZero();
    }

    @Test
    void anEventHasAMaximumOfJets() {
        for (int jet = 1; jet < DijetSearch.JETS_MAX; jet++) {
            assertThat(search.add()).isTrue();
        }
        assertThat(search.add()).isFalse();
        search.clear();
        assertThat(search.mass(1)).isZero();
    }

    private void jet(double px, double py, double pz, double energy) {
        search.set(0, px);
        search.set(1, py);
        search.set(2, pz);
        search.set(3, energy);
        search.add();
    }
}
