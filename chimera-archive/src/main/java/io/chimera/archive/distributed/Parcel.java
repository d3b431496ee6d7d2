package io.chimera.archive.distributed;

import io.chimera.archive.index.GroupSummary;
import java.util.List;

/**
 * What an archive node tells an index node. Everything in it is true for as long as both processes live, unless a later generation
 * takes it back: so it may be lost, late or doubled.
 *
 * @param session of the sender
 * @param spanNs how long its spans are
 * @param incarnation what the receiver called the place where it keeps the sender's index; 0: it is to make a new one
 * @param sequence grows with every parcel from this sender to this receiver
 * @param generation of the sender
 * @param empties spans of which the sender holds nothing
 * @param voids spans that the receiver must not answer for any more: something came that it does not know of
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
    /** Takes unmodifiable copies. */
    Parcel {
        empties = List.copyOf(empties);
        voids = List.copyOf(voids);
        parts = List.copyOf(parts);
    }

    /**
     * Some groups of a span.
     *
     * @param span whose
     * @param isFirst nothing was sent before, or it does not count
     * @param isLast with these, the receiver has all groups of the sender that may hold something of the span
     * @param groups in order
     */
    record Part(long span, boolean isFirst, boolean isLast, List<StreamGroup> groups) {
        Part {
            groups = List.copyOf(groups);
        }
    }

    /**
     * A group.
     *
     * @param stream name of the data stream
     * @param summary of it
     */
    record StreamGroup(String stream, GroupSummary summary) {}

    /**
     * What is answered.
     *
     * @param incarnation what the receiver calls the place from now on; another one than in the parcel: it was not kept
     * @param sequence of the parcel
     * @param floor the first span that the receiver keeps: those before have been dropped, and are not kept again
     */
    record Reply(long incarnation, long sequence, long floor) {}
}
