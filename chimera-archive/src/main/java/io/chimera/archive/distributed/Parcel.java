package io.chimera.archive.distributed;

import io.chimera.archive.index.GroupSummary;
import java.util.List;

/**
 * Message of an archive node to an index node. Every statement stays true during the lifetime of both processes, unless
 * a later generation revokes it; a parcel may therefore be lost, delayed or duplicated.
 *
 * @param session session of the sender
 * @param spanNs length of the sender's spans
 * @param incarnation incarnation of the sender's index at the receiver; 0: create a new incarnation
 * @param sequence grows with every parcel from this sender to this receiver
 * @param generation generation of the sender
 * @param empties spans without data of the sender
 * @param voids revoked spans: the receiver must no longer answer for them, because new data arrived
 * @param parts groups of spans
 */
record Parcel(
        long session,
        long spanNs,
        long incarnation,
        long sequence,
        long generation,
        List<SpanRange> empties,
        List<Long> voids,
        List<Part> parts) {
    /** Makes unmodifiable copies. */
    Parcel {
        empties = List.copyOf(empties);
        voids = List.copyOf(voids);
        parts = List.copyOf(parts);
    }

    /**
     * Groups of a span.
     *
     * @param span number of the span
     * @param isFirst true for the first part; earlier parts are invalid
     * @param isLast true if the receiver now holds all groups of the sender with possible data of the span
     * @param groups groups in order
     */
    record Part(long span, boolean isFirst, boolean isLast, List<StreamGroup> groups) {
        Part {
            groups = List.copyOf(groups);
        }
    }

    /**
     * Group of a stream.
     *
     * @param stream name of the data stream
     * @param summary level-2 summary of the group
     */
    record StreamGroup(String stream, GroupSummary summary) {}

    /**
     * Reply to a parcel.
     *
     * @param incarnation incarnation at the receiver from now on; 0, or a value other than a nonzero value in the
     *     parcel: the parcel was discarded
     * @param sequence sequence number of the parcel
     * @param floor first span kept by the receiver: earlier spans were dropped and are no longer accepted
     */
    record Reply(long incarnation, long sequence, long floor) {}
}
