package io.chimera.archive.distributed;

import io.chimera.common.cluster.ArchiveMember;

/** A span of which this node holds packets. The sender's thread. */
final class OwnSpan {
    /** Nobody holds it. */
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

    /** When the last group came that may hold something of it, by the clock. */
    long touchedNs() {
        return touchedNs;
    }

    /** Whether somebody may have been told that its groups are all there are. */
    boolean isTold() {
        return isTold;
    }

    void told() {
        isTold = true;
    }

    /** Whether a group of it cannot be told of, so that this node is asked itself. */
    boolean isDark() {
        return isDark;
    }

    void dark() {
        isDark = true;
    }

    /** The incarnation at an index node that has all of it; {@link #NOBODY} if none has. */
    long holder() {
        return holder;
    }

    void heldBy(long incarnation) {
        holder = incarnation;
    }

    /** Who is to hold it. */
    ArchiveMember owner() {
        return owner;
    }

    void ownedBy(ArchiveMember member) {
        owner = member;
    }
}
