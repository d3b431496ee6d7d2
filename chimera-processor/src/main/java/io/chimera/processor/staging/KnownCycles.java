package io.chimera.processor.staging;

import io.chimera.common.cluster.Agreement;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.Held;
import io.chimera.common.cluster.Held.Edition;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.processor.Pipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * What the newest view says of cycles, in a form that is asked once per frame and allocates nothing. Decides which frames
 * are wanted. Staging's thread.
 */
final class KnownCycles {
    /**
     * How far ahead of the view a frame may be. A view lags by milliseconds, in which no more than the cycles in flight
     * can begin: 3 by default, {@code cycle.in_flight} goes up to 16.
     */
    static final int AHEAD_MAX = 16;

    /** What becomes of a frame. */
    enum Verdict {
        /** It is wanted, or may be as soon as the view shows its cycle. */
        STAGE,
        /** Its shard is somebody else's, or done with. */
        IGNORE,
        /** It is too far ahead of the view. */
        REFUSE,
        /** Only the view can tell. */
        WAIT
    }

    private final Cluster cluster;
    private final long session;
    private final Held<List<Pipeline>> held;
    private final Long2ObjectHashMap<Known> cycles = new Long2ObjectHashMap<>();
    private ClusterView view = ClusterView.NONE;
    private long newest;
    private long newestReplay;
    private final List<List<Pipeline>> retired = new ArrayList<>();
    private Edition<List<Pipeline>> running;

    KnownCycles(Cluster cluster, long session, Held<List<Pipeline>> held) {
        this.cluster = cluster;
        this.session = session;
        this.held = held;
        running = held.newest();
    }

    /** One cycle of the view. */
    private static final class Known {
        private final long clockNs;
        private final int parts;
        private final int reassignments;

        /** Of the digest of its pipelines; 0 where none is named. */
        private final int fingerprint;

        private final boolean[] isWanted;

        /** By shard, then part: a transmission that ended while the shard was not this processor's. */
        private final boolean[] isMissed;

        Known(OpenCycle open, long session, String running, Known before) {
            Assignment assignment = open.assignment();
            clockNs = TimeUnit.MILLISECONDS.toNanos(open.cycle().time().clockMs());
            parts = open.cycle().parts();
            reassignments = assignment.version();
            fingerprint = Agreement.fingerprint(assignment.digest());
            boolean isRunning = assignment.isFor(running);
            isWanted = new boolean[open.cycle().shards()];
            isMissed = before == null ? new boolean[isWanted.length * parts] : before.isMissed;
            for (int shard = 0; shard < isWanted.length; shard++) {
                isWanted[shard] =
                        isRunning && assignment.processors().get(shard) == session && !open.isCommitted(shard);
            }
        }
    }

    /** Looks at the newest view; true when it is a newer one than before. */
    boolean refresh() {
        ClusterView next = cluster.view();
        if (next.revision() == view.revision()) {
            return false;
        }
        view = next;
        running = runningOf(view);
        retired.addAll(held.retire(view));
        cycles.keySet().removeIf(number -> view.open(number).isEmpty());
        newest = view.low().cycle();
        newestReplay = view.replays().mark().cycle();
        for (OpenCycle open : view.open()) {
            long number = open.cycle().number();
            cycles.put(number, new Known(open, session, running.digest(), cycles.get(number)));
            if (Cycle.isReplay(number)) {
                newestReplay = Math.max(newestReplay, number);
            } else {
                newest = Math.max(newest, number);
            }
        }
        return true;
    }

    /**
     * The pipelines to work with: those of the oldest open cycle, else of the newest that is over. Cycles of others wait; there are
     * none but where a whole tier was started again.
     */
    private Edition<List<Pipeline>> runningOf(ClusterView next) {
        for (OpenCycle open : next.open()) {
            Edition<List<Pipeline>> named =
                    open.isCommitted() ? null : held.find(open.assignment().digest());
            if (named != null) {
                return named;
            }
        }
        Edition<List<Pipeline>> last = held.find(next.lastDigest());
        return last == null ? held.newest() : last;
    }

    /** Pipelines that were let go of since this was asked last. */
    List<List<Pipeline>> takeRetired() {
        List<List<Pipeline>> taken = retired.isEmpty() ? List.of() : List.copyOf(retired);
        retired.clear();
        return taken;
    }

    /** The pipelines to work with. */
    Edition<List<Pipeline>> running() {
        return running;
    }

    /** The view that was looked at last. */
    ClusterView view() {
        return view;
    }

    /**
     * What becomes of a frame of a part of a shard.
     *
     * @param fingerprint of the digest of the pipelines that it was sent by; 0 when it names none
     */
    Verdict verdict(long cycle, int shard, int part, int fingerprint) {
        if (view.revision() == 0) { // nothing is known yet
            return Verdict.WAIT;
        }
        Known known = cycles.get(cycle);
        if (known != null) {
            boolean isOurs = shard < known.isWanted.length && part < known.parts && known.isWanted[shard];
            return isOurs && isSame(fingerprint, known.fingerprint) ? Verdict.STAGE : Verdict.IGNORE;
        }
        long last = Cycle.isReplay(cycle) ? newestReplay : newest;
        if (cycle <= last) {
            return Verdict.IGNORE;
        }
        if (cycle - last > AHEAD_MAX) {
            return Verdict.REFUSE;
        }
        if (isSame(fingerprint, running.fingerprint())) {
            return Verdict.STAGE;
        }
        // the pipelines change with it, and the view is about to tell; who does not hold them gets none of it
        return held.has(fingerprint) ? Verdict.WAIT : Verdict.IGNORE;
    }

    private static boolean isSame(int one, int other) {
        return one == other || one == 0 || other == 0;
    }

    /** Whether the view shows the cycle. */
    boolean isKnown(long cycle) {
        return cycles.containsKey(cycle);
    }

    /** Whether the shard is this processor's to flush, or may be: the view does not show its cycle yet. */
    boolean isWanted(long cycle, int shard) {
        return verdict(cycle, shard, 0, 0) == Verdict.STAGE;
    }

    /** A part of a shard that is not wanted came to its end; a view to come may tell that it is this processor's. */
    void missed(long cycle, int shard, int part) {
        Known known = cycles.get(cycle);
        if (known != null && shard < known.isWanted.length && part < known.parts) {
            known.isMissed[shard * known.parts + part] = true;
        }
    }

    /** Whether a part of a known cycle came while its shard was not wanted. */
    boolean isMissed(long cycle, int shard, int part) {
        Known known = cycles.get(cycle);
        return known.isMissed[shard * known.parts + part];
    }

    /** A part that was missed is asked for. */
    void found(long cycle, int shard, int part) {
        Known known = cycles.get(cycle);
        known.isMissed[shard * known.parts + part] = false;
    }

    /** Time of a known cycle. */
    long clockNs(long cycle) {
        return cycles.get(cycle).clockNs;
    }

    /** Times that a cycle was assigned anew; 0 when it is not known. */
    int reassignments(long cycle) {
        Known known = cycles.get(cycle);
        return known == null ? 0 : known.reassignments;
    }

    /** Number of parts of a known cycle. */
    int parts(long cycle) {
        return cycles.get(cycle).parts;
    }
}
