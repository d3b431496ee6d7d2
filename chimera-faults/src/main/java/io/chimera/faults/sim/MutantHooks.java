package io.chimera.faults.sim;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ControlState;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.wire.BatchFeed;
import io.chimera.coordinator.ConductorSettings;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the code of mutants calls in place of what the nodes call. Public for their sake only. */
public final class MutantHooks {
    private MutantHooks() {}

    /** Takes everything that a cycle names for verified. */
    public static LowMark low(ClusterView view) {
        LowMark low = view.low();
        long last = view.cycles().isEmpty() ? low.cycle() : view.cycles().lastKey();
        return new LowMark(last, low.timeMs(), view.lastCut(), view.lastDigest(), low.totals(), low.history());
    }

    /** Knows no cut but the end of the own journal. */
    public static Object get(SortedMap<?, ?> cut, Object stream) {
        return Long.MAX_VALUE;
    }

    /** Gives a cycle that is done again another time. */
    public static Cycle cycle(OpenCycle open) {
        Cycle cycle = open.cycle();
        return new Cycle(
                cycle.number(),
                cycle.epoch(),
                new CycleTime(
                        cycle.timeMs() + (open.assignment().version() > 0 ? 1 : 0),
                        cycle.time().clockMs()),
                cycle.cut(),
                cycle.queues(),
                cycle.processors(),
                cycle.replay());
    }

    /** Gives a cycle that is replayed another time. */
    public static CycleTime time(PastCycle past) {
        return new CycleTime(past.timeMs() + 1, past.time().clockMs());
    }

    /** Knows no open cycle. */
    public static SortedMap<Long, OpenCycle> cycles(ControlState state) {
        return new TreeMap<>();
    }

    /** Waits for nothing before a stream is dropped from the cuts. */
    public static Duration finishAfter(ConductorSettings settings) {
        return Duration.ZERO;
    }

    /** Ends where something is missing. */
    public static BatchFeed.Step next(BatchFeed feed) {
        BatchFeed.Step step = feed.next();
        return step == BatchFeed.Step.BATCH ? step : BatchFeed.Step.END;
    }
}
