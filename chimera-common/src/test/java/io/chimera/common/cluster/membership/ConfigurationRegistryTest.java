package io.chimera.common.cluster.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.Positions;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class ConfigurationRegistryTest {
    private final ConfigurationRegistry<String> held =
            new ConfigurationRegistry<>(new ConfigurationDigest("old"), "pipelines of old");
    private final List<List<String>> announced = new ArrayList<>();

    private void hold(String digest) {
        held.hold(new ConfigurationDigest(digest), () -> "pipelines of " + digest);
    }

    /** View with one open cycle per digest, after one finished cycle. */
    private static ClusterView view(String over, String... open) {
        TreeMap<Long, OpenCycle> cycles = new TreeMap<>();
        for (String digest : open) {
            long number = 2L + cycles.size();
            Cycle cycle = new Cycle(number, 1, number, Positions.NONE, List.of(1L), List.of(2L));
            cycles.put(
                    number,
                    new OpenCycle(
                            cycle,
                            new Assignment(0, new ConfigurationDigest(digest), List.of(1L), List.of(2L)),
                            new TreeMap<>()));
        }
        LowMark low = new LowMark(1, 1, Positions.NONE, new ConfigurationDigest(over), LowMark.Totals.ZERO);
        return new ClusterView(1, true, List.of(), List.of(), 0, cycles, low);
    }

    @Test
    void namesTheNewestFirstAndSaysSo() {
        held.onChange(() -> announced.add(
                held.digests().stream().map(ConfigurationDigest::text).toList()));
        hold("new");
        hold("old");

        assertThat(announced).containsExactly(List.of("new", "old"), List.of("old", "new"));
        assertThat(held.newest().pipelines()).isEqualTo("pipelines of old");
    }

    @Test
    void findsByDigestAndByFingerprint() {
        hold("new");

        assertThat(held.find(new ConfigurationDigest("old")).pipelines()).isEqualTo("pipelines of old");
        assertThat(held.find(new ConfigurationDigest("old").fingerprint()).pipelines())
                .isEqualTo("pipelines of old");
        assertThat(held.find(new ConfigurationDigest("")).digest()).isEqualTo(new ConfigurationDigest("new"));
        assertThat(held.find(0)).as("0 is the fingerprint of no pipelines").isNull();
        assertThat(held.find(new ConfigurationDigest("other"))).isNull();
        assertThat(held.has(new ConfigurationDigest("other").fingerprint())).isFalse();
    }

    @Test
    void keepsWhatIsInForceWhatIsNewerAndWhatAnOpenCycleNames() {
        hold("next");
        hold("new");

        assertThat(held.retire(view("old"))).isEmpty();
        assertThat(held.retire(view("old", "old", "next"))).isEmpty();
        assertThat(held.retire(view("old", "next"))).containsExactly("pipelines of old");
        assertThat(held.digests()).extracting(ConfigurationDigest::text).containsExactly("new", "next");
    }

    @Test
    void keepsAllWithoutAConnection() {
        hold("next");
        ClusterView now = view("next");
        ClusterView stale = new ClusterView(now.revision(), false, List.of(), List.of(), 0, now.cycles(), now.low());

        assertThat(held.retire(stale)).isEmpty();
        assertThat(held.retire(now)).containsExactly("pipelines of old");
    }

    @Test
    void holdsAFewOnlyAndOneThatItHasAlwaysAgain() {
        hold("b");
        hold("c");
        hold("d");
        hold("b");

        assertThat(held.digests()).extracting(ConfigurationDigest::text).containsExactly("b", "d", "c", "old");
        assertThatThrownBy(() -> hold("e")).hasMessageContaining("already has 4 configurations");
        assertThat(held.digests()).extracting(ConfigurationDigest::text).containsExactly("b", "d", "c", "old");
    }
}
