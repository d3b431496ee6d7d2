package io.chimera.node.replay;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.cluster.CycleGroups;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.StreamGroups;
import io.chimera.node.Json;
import io.chimera.node.http.PastCycles;
import io.chimera.node.watch.NodeClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Collects the past cycles in the journals of queue nodes. A cycle with the records of several journal groups is
 * complete once a node of each of these groups holds its part: a replay of an incomplete cycle would replace rows by
 * rows of fewer points.
 */
public final class HeldCycles {
    private final NodeClient client;

    HeldCycles(NodeClient client) {
        this.client = client;
    }

    /**
     * Returns the complete past cycles by number: cycles missed by a dead node are in the journals of other nodes of
     * its group.
     */
    SortedMap<Long, PastCycle> of(List<QueueMember> members) throws InterruptedException {
        SortedMap<JournalGroup, SortedMap<Long, PastCycle>> byGroup = new TreeMap<>();
        for (QueueMember member : members) {
            ask(member, byGroup.computeIfAbsent(member.group(), group -> new TreeMap<>()));
        }
        return complete(byGroup);
    }

    /** Joins the records of the groups, and omits cycles without the records of a group. */
    public static SortedMap<Long, PastCycle> complete(SortedMap<JournalGroup, SortedMap<Long, PastCycle>> byGroup) {
        SortedMap<Long, PastCycle> joined = new TreeMap<>();
        SortedMap<Long, Set<JournalGroup>> from = new TreeMap<>();
        byGroup.forEach((group, cycles) -> cycles.forEach((number, cycle) -> {
            joined.merge(number, of(group, cycle), HeldCycles::join);
            from.computeIfAbsent(number, key -> new TreeSet<>()).add(group);
        }));
        joined.values().removeIf(cycle -> cycle.groups().parts().stream()
                .anyMatch(
                        parts -> parts.count() > 0 && !from.get(cycle.number()).contains(parts.group())));
        return joined;
    }

    /** Returns a cycle as noted by a node of a group, with the group of its streams. */
    private static PastCycle of(JournalGroup group, PastCycle cycle) {
        SortedMap<Long, JournalGroup> groups = new TreeMap<>();
        cycle.cut().streams().forEach(stream -> groups.put(stream, group));
        return with(cycle, cycle.before(), cycle.cut(), StreamGroups.copyOf(groups));
    }

    private static PastCycle join(PastCycle one, PastCycle other) {
        return with(
                one,
                one.before().max(other.before()),
                one.cut().max(other.cut()),
                one.groups().streams().and(other.groups().streams()));
    }

    private static PastCycle with(PastCycle cycle, Positions before, Positions cut, StreamGroups streams) {
        CycleGroups groups = new CycleGroups(cycle.groups().parts(), streams);
        return new PastCycle(cycle.number(), cycle.time(), cycle.parts(), before, cut, groups);
    }

    /** Collects the past cycles of one lane: the lanes of a node share the address, and have groups of their own. */
    private void ask(QueueMember lane, SortedMap<Long, PastCycle> held) throws InterruptedException {
        long from = 0;
        boolean hasMore = true;
        while (hasMore) {
            String url = client.url(lane.http(), "/cycles?from=" + from + "&group=" + lane.group());
            JsonNode page = Json.read(url, client.get(url));
            for (JsonNode cycle : page.path("cycles")) {
                PastCycle past = decode(cycle);
                held.merge(past.number(), past, PastCycle::and); // of other nodes of the group
                from = past.number() + 1;
            }
            hasMore = page.path("more").asBoolean() && page.path("cycles").size() == PastCycles.LIMIT;
        }
    }

    private static PastCycle decode(JsonNode cycle) {
        long timeMs = cycle.path("time_ms").asLong();
        return new PastCycle(
                cycle.path("cycle").asLong(),
                new CycleTime(timeMs, cycle.path("clock_ms").asLong(timeMs)),
                0,
                positions(cycle.path("before")),
                positions(cycle.path("cut")),
                new CycleGroups(parts(cycle.path("parts_by_group")), StreamGroups.NONE));
    }

    private static List<CycleGroups.Parts> parts(JsonNode byGroup) {
        List<CycleGroups.Parts> parts = new ArrayList<>();
        int first = 0;
        for (Map.Entry<String, JsonNode> group : byGroup.properties()) {
            int count = group.getValue().asInt();
            parts.add(new CycleGroups.Parts(new JournalGroup(group.getKey()), first, count));
            first += count;
        }
        return parts;
    }

    private static Positions positions(JsonNode named) {
        Positions.Builder positions = Positions.builder();
        named.properties()
                .forEach(stream -> positions.put(
                        Long.parseUnsignedLong(stream.getKey(), 16),
                        stream.getValue().asLong()));
        return positions.build();
    }
}
