package io.chimera.coordinator.zookeeper.znode;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.chimera.common.cluster.CycleGroups;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.ReplayRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A replay request and its progress. The id of a request is the name of its znode. */
record ReplayRequestZnode(String pipeline, int next, int skipped, LowMark.Totals accounts, List<Past> cycles) {
    /** A past cycle. */
    record Past(
            long cycle,
            long timeMs,
            @MayBeMissing Long clockMs,
            Map<HexName, Long> before,
            Map<HexName, Long> cut,

            @MayBeMissing @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Map<HexName, String> streams) {
        static Past of(PastCycle cycle) {
            return new Past(
                    cycle.number(),
                    cycle.timeMs(),
                    cycle.time().clockMs(),
                    HexName.positions(cycle.before()),
                    HexName.positions(cycle.cut()),
                    GroupNames.of(cycle.groups().streams()));
        }

        PastCycle toCycle() throws MalformedZnodeException {
            return new PastCycle(
                    cycle,
                    CycleZnode.time(timeMs, clockMs),
                    0,
                    HexName.positions(before),
                    HexName.positions(cut),
                    new CycleGroups(List.of(), GroupNames.streams(streams)));
        }
    }

    static ReplayRequestZnode of(ReplayRequest request) {
        return new ReplayRequestZnode(
                request.pipeline(),
                request.next(),
                request.skipped(),
                request.accounts(),
                request.cycles().stream().map(Past::of).toList());
    }

    ReplayRequest request(String id) throws MalformedZnodeException {
        List<PastCycle> past = new ArrayList<>();
        for (Past cycle : cycles) {
            past.add(cycle.toCycle());
        }
        try {
            return new ReplayRequest(id, pipeline, past, next, skipped, accounts);
        } catch (IllegalArgumentException e) {
            throw new MalformedZnodeException("its fields do not fit: " + e.getMessage(), e);
        }
    }
}
