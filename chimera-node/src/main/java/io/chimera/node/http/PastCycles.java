package io.chimera.node.http;

import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Past cycles of a node available for a replay, as shown by the HTTP port. */
public interface PastCycles {
    /** Empty list, for a node without a journal. */
    PastCycles NONE = (from, to, group) -> List.of();

    /** Maximum number of cycles per answer, about 200 bytes each. */
    int LIMIT = 1_000;

    /**
     * Returns the committed cycles with readable records.
     *
     * @param from number of the first cycle
     * @param to number of the last cycle
     * @param group only records of the node's lane in this journal group; empty for the records of all lanes
     * @return cycles in ascending order
     */
    List<PastCycle> between(long from, long to, Optional<JournalGroup> group);

    /** Returns one page for JSON: {@code {"cycles": […], "more": false}}. */
    default Map<String, Object> page(long from, long to, Optional<JournalGroup> group) {
        List<PastCycle> all = between(from, to, group);
        List<Map<String, Object>> cycles = new ArrayList<>();
        all.stream().limit(LIMIT).forEach(cycle -> cycles.add(figures(cycle)));
        Map<String, Object> page = new LinkedHashMap<>();
        page.put("cycles", cycles);
        page.put("more", all.size() > LIMIT);
        return page;
    }

    private static Map<String, Object> figures(PastCycle cycle) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("cycle", cycle.number());
        figures.put("time_ms", cycle.timeMs());
        figures.put("clock_ms", cycle.time().clockMs());
        figures.put("points", cycle.points());
        figures.put("before", named(cycle.before()));
        figures.put("cut", named(cycle.cut()));
        if (!cycle.groups().isDefault()) {
            Map<String, Integer> groups = new LinkedHashMap<>();
            cycle.groups().parts().forEach(parts -> groups.put(parts.group().name(), parts.count()));
            figures.put("parts_by_group", groups);
        }
        return figures;
    }

    /** Formats stream ids as hex strings, because JSON readers round large numbers. */
    private static Map<String, Long> named(Positions cut) {
        Map<String, Long> named = new TreeMap<>();
        cut.forEach((stream, seq) -> named.put(Long.toHexString(stream), seq));
        return named;
    }
}
