package io.chimera.node.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.CycleGroups;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.StreamGroups;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class HeldCyclesTest {
    private static final JournalGroup MAIN = JournalGroup.DEFAULT;
    private static final JournalGroup EAST = new JournalGroup("east");

    @Test
    void joinsTheRecordsOfAllGroups() {
        SortedMap<Long, PastCycle> complete = HeldCycles.complete(new TreeMap<>(Map.of(
                MAIN, noted(past(3, 1, 1, Positions.of(7, 5))), EAST, noted(past(3, 1, 1, Positions.of(8, 9))))));

        assertThat(complete).containsOnlyKeys(3L);
        assertThat(complete.get(3L).cut()).isEqualTo(Positions.of(7, 5, 8, 9));
        assertThat(complete.get(3L).groups().streams().others()).containsOnly(Map.entry(8L, EAST));
    }

    @Test
    void omitsACycleWithoutTheRecordsOfAGroup() {
        SortedMap<Long, PastCycle> complete = HeldCycles.complete(new TreeMap<>(Map.of(
                MAIN,
                noted(past(3, 1, 1, Positions.of(7, 5)), past(4, 1, 1, Positions.of(7, 6))),
                EAST,
                noted(past(4, 1, 1, Positions.of(8, 9))))));

        assertThat(complete).containsOnlyKeys(4L);
    }

    @Test
    void aGroupWithoutPartsIsNotMissing() {
        SortedMap<Long, PastCycle> complete =
                HeldCycles.complete(new TreeMap<>(Map.of(MAIN, noted(past(3, 2, 0, Positions.of(7, 5))))));

        assertThat(complete).containsOnlyKeys(3L);
    }

    private static PastCycle past(long number, int partsOfMain, int partsOfEast, Positions cut) {
        List<CycleGroups.Parts> parts = List.of(
                new CycleGroups.Parts(MAIN, 0, partsOfMain), new CycleGroups.Parts(EAST, partsOfMain, partsOfEast));
        return new PastCycle(
                number,
                CycleTime.of(1_000 * number),
                0,
                Positions.NONE,
                cut,
                new CycleGroups(parts, StreamGroups.NONE));
    }

    private static SortedMap<Long, PastCycle> noted(PastCycle... cycles) {
        SortedMap<Long, PastCycle> noted = new TreeMap<>();
        for (PastCycle cycle : cycles) {
            noted.put(cycle.number(), cycle);
        }
        return noted;
    }
}
