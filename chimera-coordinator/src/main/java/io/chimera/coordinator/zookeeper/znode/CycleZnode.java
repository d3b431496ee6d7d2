package io.chimera.coordinator.zookeeper.znode;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleGroups;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.Replay;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Record of a cycle.
 *
 * @param replay the replayed cycle; null for a live cycle
 * @param groups parts by journal group, in the order of the parts; null for the default group alone
 * @param streams groups of the streams outside the default group; null without such a stream
 */
record CycleZnode(
        long cycle,
        long epoch,
        long timeMs,
        @MayBeMissing @Nullable Long clockMs,
        Map<HexName, Long> cut,
        List<HexName> queues,
        List<HexName> processors,

        @MayBeMissing @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
        Replayed replay,

        @MayBeMissing @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
        List<GroupParts> groups,

        @MayBeMissing @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
        Map<HexName, String> streams) {
    /** Number of parts of a journal group. */
    record GroupParts(
            @MayBeMissing @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String group,

            int parts) {}

    /** The past cycle that a replay cycle repeats. */
    record Replayed(String request, long cycle, String pipeline, Map<HexName, Long> before) {
        static Replayed of(Replay replay) {
            return new Replayed(
                    replay.request(), replay.cycle(), replay.pipeline(), HexName.positions(replay.before()));
        }

        Replay replay() throws MalformedZnodeException {
            return new Replay(request, cycle, HexName.positions(before), pipeline);
        }
    }

    static CycleZnode of(Cycle cycle) {
        return new CycleZnode(
                cycle.number(),
                cycle.epoch(),
                cycle.timeMs(),
                cycle.time().clockMs(),
                HexName.positions(cycle.cut()),
                HexName.list(cycle.queues()),
                HexName.list(cycle.processors()),
                cycle.replay().map(Replayed::of).orElse(null),
                parts(cycle.groups()),
                GroupNames.of(cycle.groups().streams()));
    }

    private static @Nullable List<GroupParts> parts(CycleGroups groups) {
        return groups.isDefault()
                ? null
                : groups.parts().stream()
                        .map(some -> new GroupParts(GroupNames.of(some.group()), some.count()))
                        .toList();
    }

    private CycleGroups cycleGroups() throws MalformedZnodeException {
        if (groups == null) {
            if (streams != null) {
                throw new MalformedZnodeException("it names groups of streams without parts of groups");
            }
            return CycleGroups.NONE;
        }
        List<CycleGroups.Parts> parts = new ArrayList<>();
        int first = 0;
        for (GroupParts some : groups) {
            if (some.parts < 0 || some.parts > queues.size() - first) {
                throw new MalformedZnodeException("its groups have more parts than the cycle");
            }
            parts.add(new CycleGroups.Parts(GroupNames.group(some.group), first, some.parts));
            first += some.parts;
        }
        if (first != queues.size()) {
            throw new MalformedZnodeException("its groups have fewer parts than the cycle");
        }
        return new CycleGroups(parts, GroupNames.streams(streams));
    }

    Cycle toCycle() throws MalformedZnodeException {
        if (Cycle.isReplay(cycle) != (replay != null)) {
            throw new MalformedZnodeException("its number does not say whether it is a replay cycle");
        }
        if (queues.isEmpty() || processors.isEmpty()) {
            throw new MalformedZnodeException("it lists no queue nodes or no processors");
        }
        return new Cycle(
                cycle,
                epoch,
                time(timeMs, clockMs),
                HexName.positions(cut),
                HexName.values(queues),
                HexName.values(processors),
                replay == null ? Optional.empty() : Optional.of(replay.replay()),
                cycleGroups());
    }

    /** Returns the time of a cycle; earlier releases did not write the clock. */
    static CycleTime time(long timeMs, @Nullable Long clockMs) {
        return new CycleTime(timeMs, clockMs == null ? timeMs : clockMs);
    }
}
