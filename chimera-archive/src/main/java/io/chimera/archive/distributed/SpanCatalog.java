package io.chimera.archive.distributed;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Spans with packets of this node, and the statements published about them. New data for a published span is late: the
 * statement must be revoked before the data counts. The sender's thread.
 */
final class SpanCatalog {
    /**
     * Maximum spans: 45 days of spans of one minute. Older spans are not shared; this node is queried directly for
     * them.
     */
    static final int SPANS_MAX = 64 << 10;

    /** Maximum spans of a published group; a group over more spans would go to every index node. */
    static final int GROUP_SPANS_MAX = 16;

    private static final int DARK_MAX = 64;

    /** Maximum published gaps, the newest: three days with a packet every five minutes. A gap takes 3 bytes. */
    static final int EMPTIES_MAX = 1024;

    private static final int TOLD_EMPTY_MAX = 4 * EMPTIES_MAX;

    private final TreeMap<Long, OwnSpan> spans = new TreeMap<>();
    private List<SpanRange> dark = List.of();
    private final Set<Long> late = new TreeSet<>();
    private List<SpanRange> toldEmpty = List.of();
    private List<SpanRange> toldLast = List.of();
    private boolean isLate;
    private boolean isForgottenTold;
    private boolean isForgottenLate;
    private long floor = Long.MIN_VALUE;
    private boolean isChanged = true;
    private List<SpanRange> empties = List.of();
    private long emptiesLast;
    private long settled = Long.MIN_VALUE;
    private long stirredNs;
    private boolean isStirred;

    /** Closes the spans up to the given span; later data for a closed span restarts the quiet time. */
    void settled(long last) {
        settled = last;
    }

    /** Returns true if no data arrived for closed spans during the quiet time. */
    boolean isQuiet(long nowNs, long forNs) {
        return !isStirred || nowNs - stirredNs >= forNs;
    }

    /** Records a new group with possible data of these spans. */
    void touch(SpanRange range, long nowNs) {
        if (isWide(range)) {
            stir(range.first(), nowNs);
            touchWide(range);
        } else {
            touchAll(range.first(), range.last(), nowNs);
        }
    }

    /** Records growth of a group; the spans in {@code before} were recorded earlier. */
    void touch(SpanRange range, SpanRange before, long nowNs) {
        if (isWide(range)) {
            touch(range, nowNs);
        } else {
            touchAll(range.first(), before.first() - 1, nowNs);
            touchAll(before.last() + 1, range.last(), nowNs);
        }
    }

    private static boolean isWide(SpanRange range) {
        return range.last() - range.first() >= GROUP_SPANS_MAX;
    }

    private void stir(long first, long nowNs) {
        if (first <= settled) {
            isStirred = true;
            stirredNs = nowNs;
        }
    }

    private void touchAll(long first, long last, long nowNs) {
        if (first > last) {
            return;
        }
        stir(first, nowNs);
        for (long span = first; span <= last; span++) {
            touch(span, nowNs);
        }
        while (spans.size() > SPANS_MAX) {
            OwnSpan forgotten = spans.pollFirstEntry().getValue();
            floor = forgotten.span() + 1;
            isForgottenTold |= forgotten.isTold();
            isChanged = true;
        }
    }

    private void touch(long span, long nowNs) {
        isLate |= SpanRange.holds(toldEmpty, span);
        if (span < floor) {
            takeBack(span); // published statements about the span are no longer known
            return;
        }
        OwnSpan own = spans.get(span);
        if (own == null || own.isTold()) {
            if (own != null) {
                takeBack(span);
            }
            own = new OwnSpan(span);
            isChanged = true;
            spans.put(span, own);
        }
        own.touch(nowNs);
    }

    private void touchWide(SpanRange range) {
        isLate |= toldEmpty.stream().anyMatch(range::meets);
        Collection<OwnSpan> met =
                spans.subMap(range.first(), true, range.last(), true).values();
        met.stream().filter(OwnSpan::isTold).forEach(own -> takeBack(own.span()));
        met.removeIf(OwnSpan::isTold);
        isChanged = true;
        // spans between two merged ranges are no longer published; earlier statements about them stay true
        dark = SpanRange.atMost(DARK_MAX, SpanRange.union(dark, List.of(range)));
        if (range.first() < floor && isForgottenTold) {
            isForgottenLate = true; // too many spans to list, and their statements are no longer known
            isLate = true;
        }
    }

    private void takeBack(long span) {
        late.add(span);
        isLate = true;
    }

    /** Returns true if late data arrived. */
    boolean isLate() {
        return isLate;
    }

    /** Returns the late spans possibly published before. Afterwards these spans and all gaps count as unpublished. */
    Late takeLate() {
        Late taken = new Late(List.copyOf(late), isForgottenLate);
        late.clear();
        isForgottenTold &= !isForgottenLate;
        isForgottenLate = false;
        isLate = false;
        toldEmpty = List.of();
        toldLast = List.of();
        return taken;
    }

    /**
     * Late data.
     *
     * @param spans spans with late data
     * @param isOfForgotten true if forgotten spans are affected, too: all statements are invalid
     */
    record Late(List<Long> spans, boolean isOfForgotten) {}

    /** Returns the spans up to the given span, newest first. */
    Collection<OwnSpan> newestFirst(long last) {
        return spans.headMap(last, true).descendingMap().values();
    }

    Collection<OwnSpan> all() {
        return spans.values();
    }

    /** Returns true if this object is the current state of its span. */
    boolean holds(OwnSpan own) {
        return spans.get(own.span()) == own;
    }

    /** Returns true if a group over many spans may hold data of the span. */
    boolean isDark(long span) {
        return SpanRange.holds(dark, span);
    }

    /** Returns the spans without data of this node, up to the given span. */
    List<SpanRange> empties(long last) {
        if (isChanged || last != emptiesLast) {
            empties = findEmpties(last);
            emptiesLast = last;
            isChanged = false;
        }
        return empties;
    }

    private List<SpanRange> findEmpties(long last) {
        TreeMap<Long, Long> occupied = new TreeMap<>();
        spans.keySet().forEach(span -> occupied.merge(span, span, Math::max));
        dark.forEach(range -> occupied.merge(range.first(), range.last(), Math::max));
        List<SpanRange> found = new ArrayList<>();
        long next = floor;
        for (var range : occupied.entrySet()) {
            if (range.getKey() > next) {
                add(found, next, Math.min(last, range.getKey() - 1));
            }
            next = Math.max(next, range.getValue() + 1);
        }
        add(found, next, last);
        return List.copyOf(found.subList(Math.max(0, found.size() - EMPTIES_MAX), found.size()));
    }

    private static void add(List<SpanRange> ranges, long first, long last) {
        if (first <= last) {
            ranges.add(new SpanRange(first, last));
        }
    }

    /**
     * Records the published gaps. Earlier published gaps count until they are revoked. Above the limit, spans between
     * two gaps also count as published, at the cost of at most one additional generation.
     */
    void toldEmpty(List<SpanRange> empties) {
        if (empties != toldLast) {
            toldEmpty = SpanRange.atMost(TOLD_EMPTY_MAX, SpanRange.union(toldEmpty, empties));
            toldLast = empties;
        }
    }

    /** Returns true if all of a span may have been published. */
    boolean isTold(long span) {
        OwnSpan own = spans.get(span);
        return span < floor || SpanRange.holds(toldEmpty, span) || (own != null && own.isTold());
    }
}
