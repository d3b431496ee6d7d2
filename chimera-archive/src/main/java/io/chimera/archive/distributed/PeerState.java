package io.chimera.archive.distributed;

import io.chimera.common.cluster.archive.ArchiveMember;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Knowledge of the sender about one index node. The sender's thread. */
final class PeerState {
    /** Maximum number of single revocations; above this limit the index node starts a new incarnation. */
    private static final int VOIDS_MAX = DistributedCodec.SPANS_MAX / 2;

    private static final long RETRY_NS_MIN = TimeUnit.SECONDS.toNanos(1);
    private static final int RETRY_DOUBLINGS_MAX = 5;
    private static final long NONE = -1;

    private final ArchiveMember member;

    /** Revoked spans, each with the generation of the last revocation. */
    private final Map<Long, Long> voids = new TreeMap<>();

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

    ArchiveMember member() {
        return member;
    }

    /** Returns the incarnation of this node's index at the peer; 0 before the first reply. */
    long incarnation() {
        return incarnation;
    }

    /** Returns the first span kept by the peer. */
    long floor() {
        return floor;
    }

    /** Returns the spans to send next. */
    List<OwnSpan> due() {
        return due;
    }

    /** Returns the position of the next parcel within a span; null at the start of a span. */
    PartCursor cursor() {
        return cursor;
    }

    void cursor(PartCursor other) {
        cursor = other;
    }

    /** Returns the spans to revoke at the peer. */
    Collection<Long> voids() {
        return voids.keySet();
    }

    /** Revokes statements about spans as of a generation. */
    void takeBack(SpanCatalog.Late late, long generation) {
        late.spans().forEach(span -> voids.put(span, generation));
        if (late.isOfForgotten() || voids.size() > VOIDS_MAX) {
            begin();
        }
    }

    /** Resets the state: the peer holds nothing of this node's index, or may forget it. */
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

    /** Returns true if a statement is due: periodically, or at once after a change. */
    boolean isStatementDue(long generation, long nowNs, long everyNs) {
        return statedGeneration != generation || !voids.isEmpty() || nowNs - statedNs >= everyNs;
    }

    /** Marks a parcel as sent. Returns the sequence number of the parcel. */
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

    /** Processes a reply. Returns true if the peer has accepted the parcel. */
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
        // keep spans revoked after the parcel was sent
        voids.values().removeIf(takenBack -> takenBack <= parcel.generation());
        statedNs = nowNs;
        statedGeneration = parcel.generation();
        statedEmpties = parcel.empties();
        return true;
    }
}
