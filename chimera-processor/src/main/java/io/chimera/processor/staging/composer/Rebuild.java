package io.chimera.processor.staging.composer;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.wire.PastFrame;
import io.chimera.processor.pipeline.Rebuilding;
import io.chimera.processor.staging.composer.PastCycleRequests.Answer;
import io.chimera.processor.staging.composer.PastCycleRequests.Ask;
import io.chimera.processor.staging.warehouse.KeptEntries;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Rebuilds the state of partitions as of the cycle before the waiting cycle: requests the cycles of the horizon from
 * queue nodes, in order, and has each cycle applied. One queue node of each journal group is asked for the parts of its
 * group; any queue node of the group that announces the cycle will do. After a queue node fails to answer, the next
 * queue node of its group is asked ({@link GroupAttempts}). {@link RebuildState} lists the states. The composer's
 * thread.
 */
final class Rebuild {
    /** Time without a frame after which a queue node's answer is given up. */
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(5);

    /** Delay before the next attempt. */
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long RETRY_FULL_NS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Time to wait for a queue node that may hold the missing cycles. Applies also while the whole group is present: a
     * queue node cut off from the coordinator, or still copying the cycle from its peers, does not announce the cycle
     * yet.
     */
    private static final long ABSENT_NS = TimeUnit.SECONDS.toNanos(30);

    /** Interval of checks for older cycles while a queue node of the group is absent. */
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Waiting target;
    private final BitSet partitions;
    private final long last;
    private final Requester requester;
    private final PastCycleRequests desk;
    private final Applier applier;
    private final long beganNs;
    private final GroupAttempts attempts = new GroupAttempts();

    /** The oldest cycle announced without a gap up to the last. */
    private long first;

    /** Next cycle to request; 0 before the first is known. */
    private long next;

    private int cyclesDone;
    private int request;
    private RebuildState state;
    private long touchedNs;
    private long progress;
    private long retryAtNs;
    private long absentSinceNs;
    private boolean isShort;

    private GroupWait groupWait = GroupWait.NONE;
    private long groupWaitSinceNs;

    /**
     * Wait for the parts of a journal group.
     *
     * <pre>
     * NONE     a cycle lacks the parts of a group          WAITING
     * WAITING  a cycle is whole                            NONE
     * WAITING  30 s have passed                            GIVEN_UP
     * </pre>
     */
    private enum GroupWait {
        NONE,
        WAITING,
        /** Further cycles without parts of a group are skipped at once. */
        GIVEN_UP
    }

    /** Applies received cycles to the states. */
    interface Applier {
        /** Resets the states of the partitions to empty. */
        void reset(BitSet partitions);

        /** Passes the records of a past cycle to the blocks; false when their states are lost. */
        boolean apply(CycleTime time, List<KeptEntries> parts, BitSet partitions);

        /** Called when the limit of bytes is reached. */
        void full(Waiting target);

        /** Returns the number of the next request. */
        int nextRequest();
    }

    /**
     * Pipeline of a rebuild, as named in requests to queue nodes.
     *
     * @param horizonMs age of the oldest requested cycle
     * @param fingerprint fingerprint of the configuration digest
     * @param session session of this processor
     */
    record Requester(long horizonMs, int fingerprint, long session) {}

    Rebuild(
            Waiting target,
            BitSet partitions,
            Requester requester,
            PastCycleRequests desk,
            Applier applier,
            long nowNs) {
        this.target = target;
        this.partitions = partitions;
        this.requester = requester;
        this.desk = desk;
        this.applier = applier;
        beganNs = nowNs;
        retryAtNs = nowNs;
        last = target.content() - 1;
        state = hasPast() ? RebuildState.DUE : RebuildState.DONE;
        applier.reset(partitions);
    }

    /** Returns whether a cycle exists before the waiting cycle. */
    private boolean hasPast() {
        return last >= 1;
    }

    Waiting target() {
        return target;
    }

    BitSet partitions() {
        return partitions;
    }

    /** Returns the cycle at whose end the rebuild is complete. */
    long last() {
        return last;
    }

    /** Returns the progress. */
    Rebuilding seen(String name, long nowNs) {
        return new Rebuilding(
                name, partitions.cardinality(), next, last, cyclesDone, TimeUnit.NANOSECONDS.toMillis(nowNs - beganNs));
    }

    boolean isDone() {
        return state == RebuildState.DONE;
    }

    /** Returns whether the blocks failed, so that the rebuild has to be restarted. */
    boolean isFailed() {
        return state == RebuildState.FAILED;
    }

    /** Returns whether cycles within the horizon were not available. */
    boolean isShort() {
        return isShort;
    }

    /** Returns whether an answer belongs to the latest request. */
    boolean isFor(Answer answer) {
        return state == RebuildState.REQUESTED && answer.request() == request;
    }

    /** Requests the next cycle when due. */
    int step(ClusterView view, long nowNs) {
        if (state == RebuildState.DONE || state == RebuildState.FAILED) {
            return 0;
        }
        if (state == RebuildState.REQUESTED) {
            awaitAnswer(nowNs);
        }
        return state == RebuildState.REQUESTED || nowNs - retryAtNs < 0 ? 0 : ask(view, nowNs);
    }

    private void awaitAnswer(long nowNs) {
        if (desk.progress() != progress) {
            progress = desk.progress();
            touchedNs = nowNs;
        }
        if (nowNs - touchedNs > ANSWER_NS) {
            attempts.onSilent(desk.settled(request));
            retry(nowNs);
        }
    }

    private int ask(ClusterView view, long nowNs) {
        if (next == 0) {
            first = firstAnnounced(view);
            next = first;
        }
        List<Long> asked = attempts.select(view, next);
        if (asked.isEmpty()) {
            return onAbsent(view, nowNs);
        }
        state = RebuildState.DUE;
        request = applier.nextRequest();
        PastFrame.Request wanted = new PastFrame.Request(
                requester.session(),
                request,
                requester.fingerprint(),
                target.pipeline(),
                new PastFrame.Cycles(next, last, requester.horizonMs()),
                partitions);
        if (!desk.ask(new Ask(asked, wanted, target.cycle().number()))) {
            return 0;
        }
        state = RebuildState.REQUESTED;
        touchedNs = nowNs;
        progress = desk.progress();
        return 1;
    }

    /**
     * Returns the oldest cycle announced without a gap up to the last; the last when no queue node announces the last.
     */
    private long firstAnnounced(ClusterView view) {
        long oldest = last + 1;
        for (long before = -1; before != oldest; ) {
            before = oldest;
            for (QueueMember member : view.queues()) {
                for (CycleSpan span : member.past()) {
                    oldest = span.contains(oldest - 1) ? span.first() : oldest;
                }
            }
        }
        return Math.min(oldest, last);
    }

    /** Handles a cycle that no queue node announces: waits for dead queue nodes, then restarts after the gap. */
    private int onAbsent(ClusterView view, long nowNs) {
        if (state != RebuildState.ABSENT || !view.connected()) {
            state = RebuildState.ABSENT;
            absentSinceNs = nowNs;
        }
        if (nowNs - absentSinceNs < ABSENT_NS) {
            next = cyclesDone > 0 ? next : 0;
            return 0;
        }
        applier.reset(partitions);
        isShort = true;
        first = firstAnnounced(view);
        next = first;
        boolean isAnnounced = view.queues().stream().anyMatch(member -> member.holdsPast(first));
        state = isAnnounced ? RebuildState.DUE : RebuildState.DONE;
        return 1;
    }

    private static boolean isGroupThere(ClusterView view) {
        return view.queues().size() >= view.members();
    }

    /** Handles an answer; the caller releases the answer. */
    void on(Answer answer, ClusterView view, long nowNs) {
        state = RebuildState.DUE;
        retryAtNs = nowNs;
        attempts.onFailed(answer.failed());
        switch (answer.outcome()) {
            case WHOLE -> onWhole(answer, view, nowNs);
            case NONE -> {
                if (answer.cycle() > last) {
                    state = RebuildState.DONE; // all cycles held are older than the horizon
                } else if (answer.cycle() > next) {
                    next = answer.cycle();
                } else {
                    retry(nowNs);
                }
            }
            case FAILED -> retry(nowNs);
            case INCOMPLETE -> onIncomplete(nowNs);
            case FULL -> {
                applier.full(target);
                retryAtNs = nowNs + RETRY_FULL_NS;
            }
        }
    }

    private void onWhole(Answer answer, ClusterView view, long nowNs) {
        boolean isOldest = answer.cycle() == first && first > 1 && !isShort;
        if (isOldest && !isGroupThere(view) && nowNs - beganNs < ABSENT_NS) {
            next = 0; // A dead queue node may hold older cycles within the horizon.
            retryAtNs = nowNs + LOOK_NS;
            return;
        }
        isShort |= isOldest;
        groupWait = groupWait == GroupWait.WAITING ? GroupWait.NONE : groupWait;
        if (!applier.apply(answer.time(), answer.parts(), partitions)) {
            state = RebuildState.FAILED;
            return;
        }
        cyclesDone++;
        next = answer.cycle() + 1;
        state = next > last ? RebuildState.DONE : RebuildState.DUE;
    }

    /**
     * Handles a cycle without the parts of some journal group: waits for a queue node of this group, then restarts
     * after the cycle. Later cycles of this rebuild do not wait again, because a retired group does not return.
     */
    private void onIncomplete(long nowNs) {
        if (groupWait == GroupWait.NONE) {
            groupWait = GroupWait.WAITING;
            groupWaitSinceNs = nowNs;
        }
        if (groupWait == GroupWait.WAITING && nowNs - groupWaitSinceNs < ABSENT_NS) {
            state = RebuildState.DUE;
            retryAtNs = nowNs + LOOK_NS;
            return;
        }
        groupWait = GroupWait.GIVEN_UP;
        applier.reset(partitions);
        isShort = true;
        next++;
        first = next;
        state = next > last ? RebuildState.DONE : RebuildState.DUE;
    }

    private void retry(long nowNs) {
        state = RebuildState.DUE;
        retryAtNs = nowNs + RETRY_NS;
    }
}
