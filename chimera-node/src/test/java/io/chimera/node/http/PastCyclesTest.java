package io.chimera.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.cluster.CycleGroups;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.StreamGroups;
import io.chimera.node.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PastCyclesTest {
    private static final JournalGroup FIRST = JournalGroup.DEFAULT;
    private static final JournalGroup SECOND = FIRST.lane(1);
    private static final List<CycleGroups.Parts> PARTS =
            List.of(new CycleGroups.Parts(FIRST, 0, 2), new CycleGroups.Parts(SECOND, 2, 2));

    @Test
    void aCycleOfAllLanesHasTheRecordsAndTheGroupsOfEachLane() {
        PastCycle cycle = lane(0xA, FIRST, 5).and(lane(0xB, SECOND, 7));

        assertThat(cycle.points()).isEqualTo(12);
        assertThat(cycle.groups().streams().of(0xA)).isEqualTo(FIRST);
        assertThat(cycle.groups().streams().of(0xB)).isEqualTo(SECOND);
        assertThat(cycle).isEqualTo(lane(0xA, FIRST, 5).and(lane(0xB, SECOND, 7)));
        JsonNode page = page(cycle);
        assertThat(page.at("/cycles/0/points").asLong()).isEqualTo(12);
        assertThat(page.at("/cycles/0/cut/a").asLong()).isEqualTo(5);
        assertThat(page.at("/cycles/0/cut/b").asLong()).isEqualTo(7);
        assertThat(page.at("/cycles/0/parts_by_group").properties()).hasSize(2);
    }

    private static PastCycle lane(long stream, JournalGroup group, long upTo) {
        return new PastCycle(
                1,
                CycleTime.of(10),
                4,
                Positions.NONE,
                Positions.of(stream, upTo),
                new CycleGroups(PARTS, StreamGroups.copyOf(Map.of(stream, group))));
    }

    private static JsonNode page(PastCycle cycle) {
        PastCycles held = (from, to, group) -> List.of(cycle);
        return Json.read("page", Json.line(held.page(0, 9, Optional.empty())));
    }
}
