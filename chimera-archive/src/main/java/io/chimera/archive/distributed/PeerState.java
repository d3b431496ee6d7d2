package io.chimera.archive.distributed;

import io.chimera.common.cluster.ArchiveMember;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** What the sender knows of one index node. Its thread. */
final class PeerState {
    /** So many changes are told one by one; with more, the index node begins anew. */
    private static final int VOIDS_MAX = DistributedCodec.SPANS_MAX / 2;

    private static final long RETRY_NS_MIN = TimeUnit.SECONDS.toNanos(1);
    private static final int RETRY_DOUBLINGS_MAX = 5;
    private static final long NONE = -1;

    private final ArchiveMember member;
    private final Set<Long> voids = new TreeSet<>();
    private final List<OwnSpan> due = new ArrayList<>();
    private long incarnation;
    private long sequence;
    private long floor = Long.MIN_VALUE;
    private boolean isWaiting;
    private int failures;
    private long notBeforeNs;
    private long statedNs;
    private long statedGeneration = NONE;
    private List<SpanRange> statedEmpties = List.of();
    private PartCursor cursor;

    PeerState(ArchiveMember member, long nowNs) {
        this.member = member;
        notBeforeNs = nowNs;
        statedNs = nowNs;
    }

    /** Which node. */
    ArchiveMember member() {
        return member;
    }

    /** What it calls the place where it keeps this node's index; 0 before it has one. */
    long incarnation() {
        return incarnation;
    }

    /** Spans before this one it does not keep. */
    long floor() {
        return floor;
    }

    /** Spans that it is to get next. */
    List<OwnSpan> due() {
        return due;
    }

    /** Where in a span the next parcel goes on; null at its beginning. */
    PartCursor cursor() {
        return cursor;
    }

    void cursor(PartCursor other) {
        cursor = other;
    }

    /** Spans that it must not answer for any more. */
    Collection<Long> voids() {
        return voids;
    }

    void voids(Collection<Long> more) {
        voids.addAll(more);
        if (voids.size() > VOIDS_MAX) {
            begin();
        }
    }

    /** It keeps nothing of what it was sent, or may as well forget it. */
    private void begin() {
        incarnation = 0;
        voids.clear();
        cursor = null;
        statedGeneration = NONE;
        statedEmpties = List.of();
    }

    boolean isReady(long nowNs) {
        return !isWaiting && nowNs - notBeforeNs >= 0;
    }

    boolean isStated(long generation, List<SpanRange> empties) {
        return statedGeneration == generation && statedEmpties.equals(empties) && voids.isEmpty();
    }

    /** Whether it has not been told for a while, or must be at once. */
    boolean isStatementDue(long generation, long nowNs, long everyNs) {
        return statedGeneration != generation || !voids.isEmpty() || nowNs - statedNs >= everyNs;
    }

    /** A parcel leaves. Returns its sequence number. */
    long next() {
        isWaiting = true;
        return ++sequence;
    }

    boolean awaits(long ofSequence) {
        return isWaiting && ofSequence == sequence;
    }

    void failed(long nowNs) {
        isWaiting = false;
        notBeforeNs = nowNs + (RETRY_NS_MIN << Math.min(failures, RETRY_DOUBLINGS_MAX));
        failures++;
    }

    /** A parcel was answered. Whether it was kept. */
    boolean answered(Parcel parcel, Parcel.Reply reply, long nowNs) {
        isWaiting = false;
        failures = 0;
        floor = reply.floor();
        boolean isKept = reply.incarnation() != 0
                && (parcel.incarnation() == 0 || reply.incarnation() == parcel.incarnation())
                && (incarnation == parcel.incarnation());
        if (!isKept) {
            begin();
            return false;
        }
        incarnation = reply.incarnation();
        voids.removeAll(parcel.voids());
        statedNs = nowNs;
        statedGeneration = parcel.generation();
        statedEmpties = parcel.empties();
        return true;
    }
}
