package io.chimera.archive.distributed;

import io.chimera.archive.index.key.Probe;
import java.util.BitSet;
import java.util.List;

/**
 * Question to an index node.
 *
 * @param spanNs length of a span
 * @param probe probe for the groups
 * @param stream name of the data stream; empty: any
 * @param afterNs earliest time, included
 * @param beforeNs latest time, included
 * @param spans queried spans
 * @param members queried archive nodes
 */
record SpanQuestion(
        long spanNs, Probe probe, String stream, long afterNs, long beforeNs, List<Long> spans, List<Member> members) {
    /** Makes unmodifiable copies. */
    SpanQuestion {
        spans = List.copyOf(spans);
        members = List.copyOf(members);
    }

    /**
     * Archive node.
     *
     * @param session session of the node
     * @param generation generation of the node: data of another generation does not count
     */
    record Member(long session, long generation) {}

    /**
     * Answer of the index node for one archive node.
     *
     * @param unknown positions of spans with incomplete data, whose result is open
     * @param mayMatch true if a group of the other spans may match
     * @param firstNs lower bound for the items of these groups
     * @param lastNs upper bound for the items of these groups
     */
    record Told(BitSet unknown, boolean mayMatch, long firstNs, long lastNs) {}
}
