package io.chimera.processor.staging.composer;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.wire.PastFrame;
import io.chimera.processor.Rebuilding;
import io.chimera.processor.staging.composer.PastDesk.Answer;
import io.chimera.processor.staging.composer.PastDesk.Ask;
import io.chimera.processor.staging.warehouse.KeptEntries;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Builds the state of some partitions as of the cycle ahead of the one that waits for it: asks queue nodes for the cycles of
 * the horizon, one after the other, and has each applied. Whoever announces a cycle may be asked for it; one that does not answer is
 * followed by another. The composer's thread.
 */
final class Rebuild {
    /** A queue node from which nothing came for so long is given up. */
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(5);

    /** Between two tries. */
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long RETRY_FULL_NS = TimeUnit.SECONDS.toNanos(1);

    /**
     * So long a queue node that may hold what is missing is waited for. Also where all of the group are there: one that is cut off
     * from the coordinator, or still copies the cycle from its peers, does not say yet that it holds it.
     */
    private static final long ABSENT_NS = TimeUnit.SECONDS.toNanos(30);

    /** Between two looks for older cycles while one of the group is away. */
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Waiting target;
    private final BitSet partitions;
    private final long last;
    private final long horizonMs;
    private final int fingerprint;
    private final long session;
    private final PastDesk desk;
    private final Applier applier;
    private final long beganNs;

    /** The oldest cycle of those that are announced without a gap up to the last. */
    private long first;

    /** The cycle that is needed next; 0 before the first is known. */
    private long next;

    private int cyclesDone;
    private int request;
    private int attempt;
    private boolean isAsked;
    private long touchedNs;
    private long progress;
    private long retryAtNs;
    private boolean isAbsent;
    private long absentSinceNs;
    private boolean hasBegun;
    private boolean isDone;
    private boolean isShort;
    private boolean isFailed;

    /** Applies what came. */
    interface Applier {
        /** Begins the states of the partitions from nothing. */
        void reset(BitSet partitions);

        /** Gives the records of a past cycle to the blocks; false when their states are lost. */
        boolean apply(CycleTime time, List<KeptEntries> parts, BitSet partitions);

        /** The limit of bytes is reached. */
        void full(Waiting target);

        /** Number of the next request. */
        int nextRequest();
    }

    Rebuild(
            Waiting target,
            BitSet partitions,
            long horizonMs,
            int fingerprint,
            long session,
            PastDesk desk,
            Applier applier,
            long nowNs) {
        this.target = target;
        this.partitions = partitions;
        this.horizonMs = horizonMs;
        this.fingerprint = fingerprint;
        this.session = session;
        this.desk = desk;
        this.applier = applier;
        beganNs = nowNs;
        retryAtNs = nowNs;
        last = target.content() - 1;
        isDone = last < 1;
        applier.reset(partitions);
    }

    Waiting target() {
        return target;
    }

    BitSet partitions() {
        return partitions;
    }

    /** The cycle at whose end the state is when it is done. */
    long last() {
        return last;
    }

    /** How far it is. */
    Rebuilding seen(String name, long nowNs) {
        return new Rebuilding(
                name, partitions.cardinality(), next, last, cyclesDone, TimeUnit.NANOSECONDS.toMillis(nowNs - beganNs));
    }

    boolean isDone() {
        return isDone;
    }

    /** Whether the blocks failed, so that it has to begin anew. */
    boolean isFailed() {
        return isFailed;
    }

    /** Whether cycles within the horizon were not to be had. */
    boolean isShort() {
        return isShort;
    }

    /** Whether an answer is to what was asked last. */
    boolean isFor(Answer answer) {
        return isAsked && answer.request() == request;
    }

    /** Asks for what is needed next, if it is time to. */
    int step(ClusterView view, long nowNs) {
        if (isDone) {
            return 0;
        }
        if (isAsked && desk.progress() != progress) {
            progress = desk.progress();
            touchedNs = nowNs;
        }
        if (isAsked && nowNs - touchedNs > ANSWER_NS) {
            askAnother(nowNs);
        }
        return isAsked || nowNs - retryAtNs < 0 ? 0 : ask(view, nowNs);
    }

    private int ask(ClusterView view, long nowNs) {
        if (next == 0) {
            first = firstAnnounced(view);
            next = first;
        }
        List<QueueMember> holders =
                view.queues().stream().filter(member -> member.holdsPast(next)).toList();
        if (holders.isEmpty()) {
            return onAbsent(view, nowNs);
        }
        isAbsent = false;
        request = applier.nextRequest();
        PastFrame.Request wanted = new PastFrame.Request(
                session, request, fingerprint, target.pipeline(), next, last, horizonMs, partitions);
        QueueMember holder = holders.get(attempt % holders.size());
        if (!desk.ask(new Ask(holder.session(), wanted, target.cycle().number()))) {
            return 0;
        }
        isAsked = true;
        touchedNs = nowNs;
        progress = desk.progress();
        return 1;
    }

    /** The last cycle when nobody announces it. */
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

    /** Nobody announces what is needed next: waits for somebody who may, then begins behind it. */
    private int onAbsent(ClusterView view, long nowNs) {
        if (!isAbsent || !view.connected()) {
            isAbsent = true;
            absentSinceNs = nowNs;
        }
        if (nowNs - absentSinceNs < ABSENT_NS) {
            next = hasBegun ? next : 0;
            return 0;
        }
        applier.reset(partitions);
        isShort = true;
        isAbsent = false;
        first = firstAnnounced(view);
        isDone = view.queues().stream().noneMatch(member -> member.holdsPast(first));
        next = first;
        return 1;
    }

    private static boolean isGroupThere(ClusterView view) {
        return view.queues().size() >= view.registered();
    }

    /** Deals with an answer, which then has to be brought back. */
    void on(Answer answer, ClusterView view, long nowNs) {
        isAsked = false;
        retryAtNs = nowNs;
        switch (answer.outcome()) {
            case WHOLE -> onWhole(answer, view, nowNs);
            case NONE -> {
                if (answer.cycle() > last) {
                    isDone = true; // nothing but what is older than the horizon
                } else if (answer.cycle() > next) {
                    next = answer.cycle();
                } else {
                    askAnother(nowNs);
                }
            }
            case FAILED -> askAnother(nowNs);
            case FULL -> {
                applier.full(target);
                retryAtNs = nowNs + RETRY_FULL_NS;
            }
        }
    }

    private void onWhole(Answer answer, ClusterView view, long nowNs) {
        boolean isOldest = answer.cycle() == first && first > 1 && !isShort;
        if (isOldest && !isGroupThere(view) && nowNs - beganNs < ABSENT_NS) {
            next = 0; // who is away may hold older ones that are within the horizon
            retryAtNs = nowNs + LOOK_NS;
            return;
        }
        isShort |= isOldest;
        if (!applier.apply(answer.time(), answer.parts(), partitions)) {
            isFailed = true;
            return;
        }
        hasBegun = true;
        cyclesDone++;
        next = answer.cycle() + 1;
        isDone = next > last;
    }

    private void askAnother(long nowNs) {
        isAsked = false;
        attempt++;
        retryAtNs = nowNs + RETRY_NS;
    }
}
