package io.chimera.archive.distributed;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The spans of which this node holds packets, and what others were told of them. What comes for a span that somebody was told of is
 * late: it has to be taken back before it counts. The sender's thread.
 */
final class SpanCatalog {
    /** 45 days of spans of a minute; what is older is not shared, and asked of this node itself. */
    static final int SPANS_MAX = 64 << 10;

    /** A group over more spans than this is not told of: it would be everybody's. */
    static final int GROUP_SPANS_MAX = 16;

    private static final int DARK_MAX = 64;

    /** Of so many gaps others are told, the newest: with a packet in five minutes, those of three days. They take 3 bytes each. */
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

    /** Up to this span nothing is expected to come any more; what does is noticed. */
    void settled(long last) {
        settled = last;
    }

    /** Whether nothing came for settled spans for a while. */
    boolean isQuiet(long nowNs, long forNs) {
        return !isStirred || nowNs - stirredNs >= forNs;
    }

    /** A group may hold something of these spans. */
    void touch(SpanRange range, long nowNs) {
        if (isWide(range)) {
            stir(range.first(), nowNs);
            touchWide(range);
        } else {
            touchAll(range.first(), range.last(), nowNs);
        }
    }

    /** A group may hold something of these spans, of which some were touched when it was seen before. */
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
            takeBack(span); // what others were told of it is not known any more
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
        // what lies between two that are merged is not told of from now on; what was told of it stays true
        dark = SpanRange.atMost(DARK_MAX, SpanRange.union(dark, List.of(range)));
        if (range.first() < floor && isForgottenTold) {
            isForgottenLate = true; // too many to name, and which of them were told is not known any more
            isLate = true;
        }
    }

    private void takeBack(long span) {
        late.add(span);
        isLate = true;
    }

    /** Whether something came late. */
    boolean isLate() {
        return isLate;
    }

    /** What came late and others may hold; from now on nothing counts as told that this, or empties, say. */
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
     * What came late.
     *
     * @param spans of which
     * @param isOfForgotten of spans, too, that are not known any more: nothing counts that was told of any
     */
    record Late(List<Long> spans, boolean isOfForgotten) {}

    /** Spans, the newest first, up to one. */
    Collection<OwnSpan> newestFirst(long last) {
        return spans.headMap(last, true).descendingMap().values();
    }

    /** All spans. */
    Collection<OwnSpan> all() {
        return spans.values();
    }

    /** Whether this is what is known of its span. */
    boolean holds(OwnSpan own) {
        return spans.get(own.span()) == own;
    }

    /** Whether a group over many spans may hold something of it. */
    boolean isDark(long span) {
        return SpanRange.holds(dark, span);
    }

    /** The spans up to one of which this node holds nothing. */
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
     * Somebody is told that these are empty. Others may have been told of more, which counts until it is taken back. Where these are
     * many, what lies between counts as told, too: that costs a generation at most.
     */
    void toldEmpty(List<SpanRange> empties) {
        if (empties != toldLast) {
            toldEmpty = SpanRange.atMost(TOLD_EMPTY_MAX, SpanRange.union(toldEmpty, empties));
            toldLast = empties;
        }
    }

    /** Whether others may have been told all of a span. */
    boolean isTold(long span) {
        OwnSpan own = spans.get(span);
        return span < floor || SpanRange.holds(toldEmpty, span) || (own != null && own.isTold());
    }
}
