package io.chimera.archive.distributed;

import io.chimera.archive.index.Probe;
import java.util.BitSet;
import java.util.List;

/**
 * What an index node is asked.
 *
 * @param spanNs how long spans are
 * @param probe what is looked for
 * @param stream name of the data stream; empty: any
 * @param afterNs the earliest time, included
 * @param beforeNs the latest time, included
 * @param spans of which
 * @param members of whom
 */
record SpanQuestion(
        long spanNs, Probe probe, String stream, long afterNs, long beforeNs, List<Long> spans, List<Member> members) {
    /** Takes unmodifiable copies. */
    SpanQuestion {
        spans = List.copyOf(spans);
        members = List.copyOf(members);
    }

    /**
     * An archive node.
     *
     * @param session its session
     * @param generation its generation: what is known in another does not count
     */
    record Member(long session, long generation) {}

    /**
     * What the index node knows of one member.
     *
     * @param unknown positions of the spans of which it does not know all: whether they match is not known
     * @param mayMatch whether a group of the others may match
     * @param firstNs no item of these groups is older
     * @param lastNs no item of these groups is younger
     */
    record Told(BitSet unknown, boolean mayMatch, long firstNs, long lastNs) {}
}
