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
    private static final int EMPTIES_MAX = 64;

    private final TreeMap<Long, OwnSpan> spans = new TreeMap<>();
    private final List<SpanRange> dark = new ArrayList<>();
    private final Set<Long> late = new TreeSet<>();
    private List<SpanRange> toldEmpty = List.of();
    private boolean isLate;
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
        if (range.first() <= settled) {
            isStirred = true;
            stirredNs = nowNs;
        }
        if (range.last() - range.first() >= GROUP_SPANS_MAX) {
            touchWide(range);
            return;
        }
        for (long span = range.first(); span <= range.last(); span++) {
            touch(span, nowNs);
        }
        while (spans.size() > SPANS_MAX) {
            floor = spans.pollFirstEntry().getKey() + 1;
            isChanged = true;
        }
    }

    private void touch(long span, long nowNs) {
        isLate |= SpanRange.anyHolds(toldEmpty, span);
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
        dark.add(range);
        if (range.first() < floor) {
            isLate = true;
        }
        if (dark.size() > DARK_MAX) {
            long first = dark.stream().mapToLong(SpanRange::first).min().orElseThrow();
            long last = dark.stream().mapToLong(SpanRange::last).max().orElseThrow();
            SpanRange all = new SpanRange(first, last);
            dark.clear();
            touchWide(all);
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

    /** The spans that came late and that others may hold; from now on nothing counts as told that they, or empties, say. */
    List<Long> takeLate() {
        List<Long> taken = List.copyOf(late);
        late.clear();
        isLate = false;
        toldEmpty = List.of();
        return taken;
    }

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
        return SpanRange.anyHolds(dark, span);
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

    /** Somebody is told that these are empty. Others may have been told of more, which counts until it is taken back. */
    void toldEmpty(List<SpanRange> empties) {
        if (!toldEmpty.containsAll(empties)) {
            toldEmpty = SpanRange.union(toldEmpty, empties);
        }
    }

    /** Whether others may have been told all of a span. */
    boolean isTold(long span) {
        OwnSpan own = spans.get(span);
        return span < floor || SpanRange.anyHolds(toldEmpty, span) || (own != null && own.isTold());
    }
}
