package io.chimera.processor.staging;

import io.chimera.api.HotPath;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.ShardId;
import io.chimera.common.cluster.membership.ConfigurationRegistry;
import io.chimera.common.cluster.membership.ConfigurationRegistry.LoadedConfiguration;
import io.chimera.common.wire.PartId;
import io.chimera.processor.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongHashSet;

/**
 * Cycles of the newest view, in a form for a lookup per frame without allocation. Decides which frames are staged.
 * Staging's thread.
 */
final class KnownCycles {
    /**
     * Maximum distance of a frame's cycle ahead of the view. A view lags by milliseconds, in which no more than the
     * cycles in flight can begin: 3 by default, {@code cycle.in_flight} goes up to 16.
     */
    static final int AHEAD_MAX = 16;

    /**
     * Maximum bytes of frames ahead of the view per queue node. At 416 MB/s (4 M points/s of 104 B) a view may lag by
     * 160 ms before frames are dropped; the processor requests dropped parts once the view shows their cycle.
     */
    static final long AHEAD_BYTES_MAX = 64L << 20;

    /** Decision about a frame. */
    enum Verdict {
        /** Stage: the shard is this processor's, or may be once the view shows the cycle. */
        STAGE,
        /**
         * Ignore: the shard is assigned to another processor or committed, or the part or the pipelines do not match
         * the cycle.
         */
        IGNORE,
        /** Drop: the sender does not own the part. */
        FOREIGN,
        /** Drop: the frame is too far ahead of the view. */
        REFUSE,
        /** Wait: only a newer view can decide. */
        WAIT
    }

    private final Cluster cluster;
    private final long session;
    private final ConfigurationRegistry<List<Pipeline>> held;
    private final Long2ObjectHashMap<Known> cycles = new Long2ObjectHashMap<>();

    /** Sessions of live queue nodes. */
    private final LongHashSet members = new LongHashSet();

    /** Bytes of frames ahead of the view, by session of the queue node. */
    private final Long2LongHashMap aheadBytes = new Long2LongHashMap(0);

    private ClusterView view = ClusterView.NONE;
    private long newest;
    private long newestReplay;
    private final List<List<Pipeline>> retired = new ArrayList<>();
    private LoadedConfiguration<List<Pipeline>> running;

    KnownCycles(Cluster cluster, long session, ConfigurationRegistry<List<Pipeline>> held) {
        this.cluster = cluster;
        this.session = session;
        this.held = held;
        running = held.newest();
    }

    /** A cycle of the view. */
    private static final class Known {
        private final long clockNs;
        private final int parts;
        private final int reassignments;

        /**
         * Fingerprint of the digest of the cycle's pipelines; of the running pipelines when the assignment names none.
         */
        private final int fingerprint;

        private final boolean[] isWanted;

        /** Session of the owner of each part. */
        private final long[] owners;

        /** Sessions that own a part, or owned a part in an earlier version shown by the view. */
        private final LongHashSet everOwners;

        /** Session, by shard then part, whose transmission ended without effect; 0 for none. */
        private final long[] ended;

        Known(OpenCycle open, long session, LoadedConfiguration<List<Pipeline>> running, Known before) {
            Assignment assignment = open.assignment();
            clockNs = TimeUnit.MILLISECONDS.toNanos(open.cycle().time().clockMs());
            parts = open.cycle().parts();
            reassignments = assignment.version();
            fingerprint = assignment.digest().isEmpty()
                    ? running.fingerprint()
                    : assignment.digest().fingerprint();
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

        /** Returns the place of a part in {@link #ended}. */
        int index(PartId id) {
            return id.shard() * parts + id.part();
        }
    }

    /** Reads the newest view; true when the view has changed. */
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
     * Returns the pipelines to work with: the pipelines of the oldest uncommitted cycle, or else of the newest finished
     * cycle. Cycles with other pipelines wait; such cycles exist only after a restart of a whole tier.
     */
    private LoadedConfiguration<List<Pipeline>> runningOf(ClusterView next) {
        for (OpenCycle open : next.open()) {
            LoadedConfiguration<List<Pipeline>> named =
                    open.isCommitted() ? null : held.find(open.assignment().digest());
            if (named != null) {
                return named;
            }
        }
        LoadedConfiguration<List<Pipeline>> last = held.find(next.lastDigest());
        return last == null ? held.newest() : last;
    }

    /** Returns and clears the pipelines retired since the last call. */
    List<List<Pipeline>> takeRetired() {
        List<List<Pipeline>> taken = retired.isEmpty() ? List.of() : List.copyOf(retired);
        retired.clear();
        return taken;
    }

    LoadedConfiguration<List<Pipeline>> running() {
        return running;
    }

    ClusterView view() {
        return view;
    }

    /**
     * Decides about a frame of a part of a shard. The cycle and the fingerprint alone never suffice: the sender has to
     * own the part in the view, or has to be a live queue node if the view does not show the cycle yet. Frames staged
     * ahead of the view are checked later by {@link #isVouchedFor}.
     *
     * @param sender session of the queue node
     * @param fingerprint of the digest of the sender's pipelines for the frame
     * @param length length of the frame in bytes
     */
    @HotPath
    Verdict verdict(long sender, long cycle, int part, int shard, int fingerprint, int length) {
        if (view.revision() == 0) { // no view yet
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

    /** Returns whether two fingerprints are equal; 0 is the fingerprint of no pipelines and never matches. */
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
        // The pipelines change with this cycle, and a view with the cycle will follow. A processor without these
        // pipelines gets no shard of the cycle.
        return held.has(fingerprint) ? Verdict.WAIT : Verdict.IGNORE;
    }

    private long lastBefore(long cycle) {
        return Cycle.isReplay(cycle) ? newestReplay : newest;
    }

    private static boolean isWanted(Known known, int shard) {
        return shard < known.isWanted.length && known.isWanted[shard];
    }

    /** Counts a frame staged ahead of the view. */
    void aheadStaged(long sender, int length) {
        aheadBytes.put(sender, aheadBytes.get(sender) + length);
    }

    /** Refuses further frames of a queue node ahead of the view, until the view shows another cycle. */
    void refuseAhead(long sender) {
        aheadBytes.put(sender, AHEAD_BYTES_MAX);
    }

    boolean hasView() {
        return view.revision() != 0;
    }

    /** Returns the newest live cycle of the view. */
    long newest() {
        return newest;
    }

    /** Returns whether the view shows the cycle. */
    boolean isKnown(long cycle) {
        return cycles.containsKey(cycle);
    }

    /** Returns whether this processor flushes the shard, or may have to while the view does not show the cycle yet. */
    boolean isWanted(ShardId id) {
        Known known = cycles.get(id.cycle());
        if (known != null) {
            return isWanted(known, id.shard());
        }
        long ahead = id.cycle() - lastBefore(id.cycle());
        return ahead > 0 && ahead <= AHEAD_MAX;
    }

    /** Returns whether a session owns a part of a known cycle. */
    boolean isOwner(long sender, PartId id) {
        Known known = cycles.get(id.cycle());
        return id.part() < known.parts && owns(known, sender, id.part());
    }

    /** Returns whether a session owns or owned a part of a cycle in any view so far. */
    boolean wasOwner(long sender, long cycle) {
        Known known = cycles.get(cycle);
        return known != null && known.everOwners.contains(sender);
    }

    /**
     * Returns whether a transmission that began ahead of the view is from the part's owner and with the pipelines of
     * the cycle.
     */
    boolean isVouchedFor(long sender, PartId id, int fingerprint) {
        return isOwner(sender, id) && cycles.get(id.cycle()).fingerprint == fingerprint;
    }

    /**
     * Records a transmission that ended without effect: the shard was not wanted, or the sender did not own the part. A
     * later view may decide otherwise.
     */
    void passedOver(long sender, PartId id) {
        Known known = cycles.get(id.cycle());
        if (known != null && id.shard() < known.isWanted.length && id.part() < known.parts) {
            known.ended[known.index(id)] = sender;
        }
    }

    /**
     * Records a dropped part whose owner assumes that the part is staged, so the part has to be requested from the
     * owner.
     */
    void dropped(PartId id) {
        Known known = cycles.get(id.cycle());
        if (known != null && id.part() < known.parts) {
            passedOver(known.owners[id.part()], id);
        }
    }

    /**
     * Returns whether a transmission of the part's owner ended without effect, so that the owner assumes the part is
     * staged.
     */
    boolean isMissed(PartId id) {
        Known known = cycles.get(id.cycle());
        return known.ended[known.index(id)] == known.owners[id.part()];
    }

    /** Records the request for a missed part. */
    void requested(PartId id) {
        Known known = cycles.get(id.cycle());
        known.ended[known.index(id)] = 0;
    }

    /** Returns the time of a known cycle. */
    long clockNs(long cycle) {
        return cycles.get(cycle).clockNs;
    }

    /** Returns the number of reassignments of a cycle; 0 when not known. */
    int reassignments(long cycle) {
        Known known = cycles.get(cycle);
        return known == null ? 0 : known.reassignments;
    }

    /** Returns the number of parts of a known cycle. */
    int parts(long cycle) {
        return cycles.get(cycle).parts;
    }
}
