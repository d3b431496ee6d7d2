package io.chimera.coordinator.zookeeper.znode;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.Replay;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Record of a cycle.
 *
 * @param replay the replayed cycle; null for a live cycle
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
        Replayed replay) {
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
                cycle.replay().map(Replayed::of).orElse(null));
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
                replay == null ? Optional.empty() : Optional.of(replay.replay()));
    }

    /** Returns the time of a cycle; earlier releases did not write the clock. */
    static CycleTime time(long timeMs, @Nullable Long clockMs) {
        return new CycleTime(timeMs, clockMs == null ? timeMs : clockMs);
    }
}
