package io.chimera.faults.sim.mutant;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleGroups;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.common.cluster.membership.ReplicationPolicy;
import io.chimera.common.wire.BatchFeed;
import io.chimera.coordinator.conductor.ConductorSettings;
import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.MergePlan;
import io.chimera.dataset.meter.WorkMeasures;
import io.chimera.dataset.source.ObjectVersion;
import io.chimera.processor.staging.composer.PastCycleRequests;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/** Replacement methods called by the code of mutants. Public only for these calls. */
public final class MutantHooks {
    private MutantHooks() {}

    /** Returns a mark that counts every listed cycle as verified. */
    public static LowMark low(ClusterView view) {
        LowMark low = view.low();
        long last = view.cycles().isEmpty() ? low.cycle() : view.cycles().lastKey();
        return new LowMark(last, low.timeMs(), view.lastCut(), view.lastDigest(), low.totals(), low.history());
    }

    /** Returns the end of the own journal instead of a cut. */
    public static Positions cut(Cycle cycle) {
        Positions.Builder endless = Positions.builder();
        cycle.cut().forEach((stream, seq) -> endless.put(stream, Long.MAX_VALUE));
        return endless.build();
    }

    /** Returns a reassigned cycle with another time. */
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

    /** Returns the number of processors in place of the number of shards. */
    public static int shards(Cycle cycle) {
        return (int) cycle.processors().stream().distinct().count();
    }

    /** Returns another time for a replayed cycle. */
    public static CycleTime time(PastCycle past) {
        return new CycleTime(past.timeMs() + 1, past.time().clockMs());
    }

    /** Returns the same folder for all runs of a job. */
    public static String runHex(JobId job) {
        return "any-run";
    }

    /** Returns whether a split is bad; splits after it in the object are not left out. */
    public static IntPredicate leavesOut(MergePlan plan) {
        return split -> plan.skipped().stream().anyMatch(span -> span.split() == split);
    }

    /** Returns a single part for a past cycle. */
    public static int parts(PastCycle past) {
        return 1;
    }

    /** Returns a single part for the journal group of a past cycle. */
    public static CycleGroups.Parts parts(PastCycle past, JournalGroup group) {
        return new CycleGroups.Parts(group, 0, 1);
    }

    /** Returns the queue nodes of the first journal group only. */
    public static List<QueueMember> queues(ClusterView view) {
        return view.in(view.groups().first()).queues();
    }

    /** Returns the wanted number of copies, whatever the size of the journal group. */
    public static int needed(ReplicationPolicy copies, int registered, int live) {
        return copies.wanted();
    }

    /** Returns the view of the whole cluster in place of the view of a journal group. */
    public static ClusterView in(ClusterView view, JournalGroup group) {
        return view;
    }

    /** Returns the queue node of the first journal group only. */
    public static List<Long> queues(PastCycleRequests.Ask ask) {
        return ask.queues().subList(0, 1);
    }

    /** Returns no open cycles. */
    public static SortedMap<Long, OpenCycle> cycles(ControlState state) {
        return new TreeMap<>();
    }

    /** Returns no delay before a stream is dropped from the cuts. */
    public static Duration finishAfter(ConductorSettings.Tolerances tolerances) {
        return Duration.ZERO;
    }

    /** Returns END in place of a missing batch. */
    public static BatchFeed.Step next(BatchFeed feed) {
        BatchFeed.Step step = feed.next();
        return step == BatchFeed.Step.BATCH ? step : BatchFeed.Step.END;
    }

    /** Returns no version, as if the source told none. */
    public static String tag(ObjectVersion version) {
        return "";
    }

    /** Returns the default value in place of the version at a replica. */
    public static Object getOrDefault(Map<?, ?> tags, Object place, Object none) {
        return none;
    }

    /** Returns the measurements since the last start of a program, without those before. */
    public static WorkMeasures plus(WorkMeasures before, WorkMeasures now) {
        return now;
    }
}
