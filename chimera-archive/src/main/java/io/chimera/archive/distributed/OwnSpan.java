package io.chimera.archive.distributed;

import io.chimera.common.cluster.archive.ArchiveMember;

/** Span with packets of this node. The sender's thread. */
final class OwnSpan {
    /** Value of {@link #holder} without a holder. */
    static final long NOBODY = 0;

    private final long span;
    private long touchedNs;
    private boolean isTold;
    private boolean isDark;
    private long holder = NOBODY;
    private ArchiveMember owner;

    OwnSpan(long span) {
        this.span = span;
    }

    long span() {
        return span;
    }

    void touch(long nowNs) {
        touchedNs = nowNs;
    }

    /** Returns the clock time of the last new group with possible data of the span. */
    long touchedNs() {
        return touchedNs;
    }

    /** Returns true if the groups of the span may have been published as complete. */
    boolean isTold() {
        return isTold;
    }

    void told() {
        isTold = true;
    }

    /** Returns true if a group of the span cannot be published; this node is then queried directly. */
    boolean isDark() {
        return isDark;
    }

    void dark() {
        isDark = true;
    }

    /** Returns the incarnation at the index node that holds the whole span; {@link #NOBODY} without a holder. */
    long holder() {
        return holder;
    }

    void heldBy(long incarnation) {
        holder = incarnation;
    }

    /** Returns the index node responsible for the span. */
    ArchiveMember owner() {
        return owner;
    }

    void ownedBy(ArchiveMember member) {
        owner = member;
    }
}
