package io.chimera.node.replay;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.node.Json;
import io.chimera.node.http.PastCycles;
import io.chimera.node.watch.NodeClient;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Collects the past cycles in the journals of queue nodes. */
final class HeldCycles {
    private final NodeClient client;

    HeldCycles(NodeClient client) {
        this.client = client;
    }

    /**
     * Returns the union of all nodes' past cycles by number: cycles missed by an absent node are in the journals of
     * other nodes.
     */
    SortedMap<Long, PastCycle> of(List<QueueMember> members) throws InterruptedException {
        SortedMap<Long, PastCycle> held = new TreeMap<>();
        for (QueueMember member : members) {
            ask(member.http(), held);
        }
        return held;
    }

    private void ask(String address, SortedMap<Long, PastCycle> held) throws InterruptedException {
        long from = 0;
        boolean hasMore = true;
        while (hasMore) {
            String url = client.url(address, "/cycles?from=" + from);
            JsonNode page = Json.read(url, client.get(url));
            for (JsonNode cycle : page.path("cycles")) {
                PastCycle past = decode(cycle);
                held.merge(past.number(), past, PastCycle::and); // other groups hold other streams
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
                positions(cycle.path("before")),
                positions(cycle.path("cut")));
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
