package io.chimera.archive.distributed;

import io.chimera.archive.distributed.Parcel.Part;
import io.chimera.archive.distributed.Parcel.StreamGroup;
import io.chimera.archive.distributed.SpanQuestion.Told;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;

/** Index data held by an index node for a start of an archive node. Guarded by the index node. */
final class HeldMember {
    private static final int RANGE_BYTES = 40;

    private final long incarnation;
    private final TreeMap<Long, HeldSpan> spans = new TreeMap<>();
    private List<SpanRange> empties = List.of();
    private long sequence;
    private long generation;
    private long bytes;
    private long seenNs;

    HeldMember(long incarnation, long nowNs) {
        this.incarnation = incarnation;
        seenNs = nowNs;
    }

    long incarnation() {
        return incarnation;
    }

    long bytes() {
        return bytes + (long) RANGE_BYTES * empties.size();
    }

    int spans() {
        return spans.size();
    }

    /** Returns the last time of the archive node's membership or parcel. */
    long seenNs() {
        return seenNs;
    }

    void seen(long nowNs) {
        seenNs = nowNs;
    }

    /** Applies a parcel. Parcels out of date change nothing. */
    void take(Parcel parcel, long floor) {
        if (parcel.sequence() <= sequence || parcel.generation() < generation) {
            return;
        }
        sequence = parcel.sequence();
        generation = parcel.generation();
        empties = parcel.empties();
        parcel.voids().forEach(this::drop);
        for (Part part : parcel.parts()) {
            if (part.span() >= floor) {
                take(part);
            }
        }
    }

    private void take(Part part) {
        if (part.isFirst()) {
            drop(part.span());
            HeldSpan begun = new HeldSpan();
            spans.put(part.span(), begun);
            bytes += begun.bytes();
        }
        HeldSpan span = spans.get(part.span());
        if (span != null) {
            bytes -= span.bytes();
            span.add(part);
            bytes += span.bytes();
        }
    }

    /** Returns the earliest held span; the greatest number if no span is held. */
    long first() {
        return spans.isEmpty() ? Long.MAX_VALUE : spans.firstKey();
    }

    void drop(long span) {
        HeldSpan dropped = spans.remove(span);
        bytes -= dropped == null ? 0 : dropped.bytes();
    }

    /** Answers a question about the given generation of the archive node. */
    Told told(SpanQuestion question, long askedGeneration) {
        BitSet unknown = new BitSet();
        long firstNs = Long.MAX_VALUE;
        long lastNs = Long.MIN_VALUE;
        for (int i = 0; i < question.spans().size(); i++) {
            long number = question.spans().get(i);
            HeldSpan span = spans.get(number);
            if (askedGeneration != generation || (span == null ? !SpanRange.holds(empties, number) : !span.isWhole())) {
                unknown.set(i);
            } else if (span != null) {
                for (StreamGroup group : span.groups()) {
                    if (mayMatch(group, question)) {
                        firstNs = Math.min(firstNs, group.summary().group().firstNs());
                        lastNs = Math.max(lastNs, group.summary().group().lastNs());
                    }
                }
            }
        }
        boolean mayMatch = firstNs <= lastNs;
        return new Told(unknown, mayMatch, mayMatch ? firstNs : 0, mayMatch ? lastNs : 0);
    }

    private static boolean mayMatch(StreamGroup group, SpanQuestion question) {
        return (question.stream().isEmpty() || question.stream().equals(group.stream()))
                && group.summary().group().meets(question.afterNs(), question.beforeNs())
                && group.summary().mayMatch(question.probe());
    }
}
