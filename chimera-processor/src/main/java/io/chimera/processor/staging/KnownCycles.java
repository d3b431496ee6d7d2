package io.chimera.processor.staging;

import io.chimera.api.HotPath;
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
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongHashSet;

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

    /**
     * Bytes of such frames per queue node. At 416 MB/s (4 M points/s of 104 B) a view may lag by 160 ms before frames are
     * dropped; the processor requests dropped parts as soon as the view shows their cycle.
     */
    static final long AHEAD_BYTES_MAX = 64L << 20;

    /** What becomes of a frame. */
    enum Verdict {
        /** It is wanted, or may be as soon as the view shows its cycle. */
        STAGE,
        /** Its shard is somebody else's, or done with. */
        IGNORE,
        /** Its sender does not own the part. */
        FOREIGN,
        /** It is too far ahead of the view. */
        REFUSE,
        /** Only the view can tell. */
        WAIT
    }

    private final Cluster cluster;
    private final long session;
    private final Held<List<Pipeline>> held;
    private final Long2ObjectHashMap<Known> cycles = new Long2ObjectHashMap<>();

    /** Sessions of live queue nodes. */
    private final LongHashSet members = new LongHashSet();

    /** Bytes of frames ahead of the view, by session of the queue node. */
    private final Long2LongHashMap aheadBytes = new Long2LongHashMap(0);

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

        /** Fingerprint of its pipelines' digest: of the running ones where the assignment names none. */
        private final int fingerprint;

        private final boolean[] isWanted;

        /** Session that owns each part. */
        private final long[] owners;

        /** Sessions that own a part, or owned one in an earlier version that the view showed. */
        private final LongHashSet everOwners;

        /** By shard, then part: session whose transmission ended without effect; 0 where there is none. */
        private final long[] ended;

        Known(OpenCycle open, long session, Edition<List<Pipeline>> running, Known before) {
            Assignment assignment = open.assignment();
            clockNs = TimeUnit.MILLISECONDS.toNanos(open.cycle().time().clockMs());
            parts = open.cycle().parts();
            reassignments = assignment.version();
            fingerprint =
                    assignment.digest().isEmpty() ? running.fingerprint() : Agreement.fingerprint(assignment.digest());
            boolean isRunning = assignment.isFor(running.digest());
            isWanted = new boolean[open.cycle().shards()];
            ended = before == null ? new long[isWanted.length * parts] : before.ended;
            owners = assignment.owners().stream().mapToLong(Long::longValue).toArray();
            everOwners = before == null ? new LongHashSet() : before.everOwners;
            everOwners.addAll(assignment.owners());
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
        members.clear();
        view.queues().forEach(member -> members.add(member.session()));
        running = runningOf(view);
        retired.addAll(held.retire(view));
        cycles.keySet().removeIf(number -> view.open(number).isEmpty());
        long newestBefore = newest;
        long newestReplayBefore = newestReplay;
        newest = view.low().cycle();
        newestReplay = view.replays().mark().cycle();
        for (OpenCycle open : view.open()) {
            long number = open.cycle().number();
            cycles.put(number, new Known(open, session, running, cycles.get(number)));
            if (Cycle.isReplay(number)) {
                newestReplay = Math.max(newestReplay, number);
            } else {
                newest = Math.max(newest, number);
            }
        }
        if (newest != newestBefore || newestReplay != newestReplayBefore) {
            aheadBytes.clear();
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
     * What becomes of a frame of a part of a shard. The cycle and the fingerprint alone never suffice: the sender has to own
     * the part in the view, or be a live queue node where the view does not show the cycle yet; {@link #isVouchedFor} looks
     * again at what was staged then.
     *
     * @param sender session of the queue node
     * @param fingerprint of the digest of the pipelines that the frame was sent by
     * @param length bytes of the frame
     */
    @HotPath
    Verdict verdict(long sender, long cycle, int shard, int part, int fingerprint, int length) {
        if (view.revision() == 0) { // nothing is known yet
            return Verdict.WAIT;
        }
        Known known = cycles.get(cycle);
        if (known == null) {
            return verdictAhead(sender, cycle, fingerprint, length);
        }
        if (part >= known.parts || !isWanted(known, shard)) {
            return Verdict.IGNORE;
        }
        if (!owns(known, sender, part)) {
            return Verdict.FOREIGN;
        }
        return isSame(fingerprint, known.fingerprint) ? Verdict.STAGE : Verdict.IGNORE;
    }

    private static boolean owns(Known known, long sender, int part) {
        return known.owners[part] == sender;
    }

    /** Whether a frame was sent by the pipelines of a fingerprint; 0 is the fingerprint of none. */
    private static boolean isSame(int fingerprint, int expected) {
        return fingerprint != 0 && fingerprint == expected;
    }

    private Verdict verdictAhead(long sender, long cycle, int fingerprint, int length) {
        long last = lastBefore(cycle);
        if (cycle <= last) {
            return Verdict.IGNORE;
        }
        if (!members.contains(sender)) {
            return Verdict.FOREIGN;
        }
        if (cycle - last > AHEAD_MAX) {
            return Verdict.REFUSE;
        }
        if (aheadBytes.get(sender) + length > AHEAD_BYTES_MAX) {
            return Verdict.REFUSE;
        }
        if (isSame(fingerprint, running.fingerprint())) {
            return Verdict.STAGE;
        }
        // the pipelines change with it, and the view is about to tell; who does not hold them gets none of it
        return held.has(fingerprint) ? Verdict.WAIT : Verdict.IGNORE;
    }

    private long lastBefore(long cycle) {
        return Cycle.isReplay(cycle) ? newestReplay : newest;
    }

    private static boolean isWanted(Known known, int shard) {
        return shard < known.isWanted.length && known.isWanted[shard];
    }

    /** Counts a frame that was staged although the view does not show its cycle. */
    void aheadStaged(long sender, int length) {
        aheadBytes.put(sender, aheadBytes.get(sender) + length);
    }

    /** Refuses further frames of a queue node ahead of the view, until the view shows another cycle. */
    void refuseAhead(long sender) {
        aheadBytes.put(sender, AHEAD_BYTES_MAX);
    }

    /** Whether there is a view. */
    boolean hasView() {
        return view.revision() != 0;
    }

    /** The newest live cycle of the view. */
    long newest() {
        return newest;
    }

    /** Whether the view shows the cycle. */
    boolean isKnown(long cycle) {
        return cycles.containsKey(cycle);
    }

    /** Whether the shard is this processor's to flush, or may be: the view does not show its cycle yet. */
    boolean isWanted(long cycle, int shard) {
        Known known = cycles.get(cycle);
        if (known != null) {
            return isWanted(known, shard);
        }
        long ahead = cycle - lastBefore(cycle);
        return ahead > 0 && ahead <= AHEAD_MAX;
    }

    /** Whether a session owns a part of a known cycle. */
    boolean isOwner(long sender, long cycle, int part) {
        Known known = cycles.get(cycle);
        return part < known.parts && owns(known, sender, part);
    }

    /** Whether a session owns or owned a part of a cycle, as far as the view showed. */
    boolean wasOwner(long sender, long cycle) {
        Known known = cycles.get(cycle);
        return known != null && known.everOwners.contains(sender);
    }

    /** Whether a transmission that began before the view showed the cycle is that of the part's owner, by its pipelines. */
    boolean isVouchedFor(long sender, long cycle, int part, int fingerprint) {
        return isOwner(sender, cycle, part) && cycles.get(cycle).fingerprint == fingerprint;
    }

    /**
     * A transmission came to its end without effect: the shard was not wanted, or the sender did not own the part. A later
     * view may show otherwise.
     */
    void passedOver(long sender, long cycle, int shard, int part) {
        Known known = cycles.get(cycle);
        if (known != null && shard < known.isWanted.length && part < known.parts) {
            known.ended[shard * known.parts + part] = sender;
        }
    }

    /** A part was dropped although its owner believes that it is here: the owner has to be asked for it. */
    void dropped(long cycle, int shard, int part) {
        Known known = cycles.get(cycle);
        if (known != null && part < known.parts) {
            passedOver(known.owners[part], cycle, shard, part);
        }
    }

    /** Whether a transmission of the part's owner was passed over, so that the owner believes it is here. */
    boolean isMissed(long cycle, int shard, int part) {
        Known known = cycles.get(cycle);
        return known.ended[shard * known.parts + part] == known.owners[part];
    }

    /** A part that was missed is requested. */
    void requested(long cycle, int shard, int part) {
        Known known = cycles.get(cycle);
        known.ended[shard * known.parts + part] = 0;
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
