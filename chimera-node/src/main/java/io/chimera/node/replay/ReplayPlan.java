package io.chimera.node.replay;

import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.LongStream;

/**
 * Plan of a replay.
 *
 * @param cycles cycles to replay, by number; not empty
 * @param missing cycles of the range absent from all journals
 * @param isOldestHeld whether the range may begin before the oldest available cycle
 * @param bytes estimated journal size of the points; -1 if unknown
 * @param pipelines the participating pipelines
 */
record ReplayPlan(
        List<PastCycle> cycles, List<CycleSpan> missing, boolean isOldestHeld, long bytes, List<String> pipelines) {
    private static final String KEEP_MORE =
            " queue.journal.retain_for and queue.journal.retain_bytes set the retention after the commit.";

    /**
     * Plans a range.
     *
     * @param held available cycles by number
     * @param last the last committed cycle
     * @param bytesPerPoint estimated journal size of a point; 0 if unknown
     * @throws ChimeraException when no journal has any cycle of the range
     */
    static ReplayPlan of(
            CycleBound from,
            CycleBound to,
            SortedMap<Long, PastCycle> held,
            long last,
            double bytesPerPoint,
            List<String> pipelines) {
        List<PastCycle> cycles = held.values().stream()
                .filter(cycle -> from.isReachedBy(cycle) && to.isNotPassedBy(cycle))
                .toList();
        if (cycles.isEmpty()) {
            throw new ChimeraException(Category.ERROR, none(from, to, held, last));
        }
        long first = from.isNumber() ? from.cycle() : cycles.get(0).number();
        long end = to.isNumber()
                ? Math.min(to.cycle(), last)
                : cycles.get(cycles.size() - 1).number();
        List<Long> missing = LongStream.rangeClosed(first, end)
                .filter(number -> !held.containsKey(number))
                .boxed()
                .toList();
        boolean isOldestHeld =
                !from.isNumber() && held.firstKey() > 1 && cycles.get(0).number() == held.firstKey();
        long points = cycles.stream().mapToLong(PastCycle::points).sum();
        long bytes = bytesPerPoint > 0 ? Math.round(points * bytesPerPoint) : -1;
        return new ReplayPlan(cycles, CycleSpan.of(missing), isOldestHeld, bytes, pipelines);
    }

    private static String none(CycleBound from, CycleBound to, SortedMap<Long, PastCycle> held, long last) {
        String what = "No journal holds a committed cycle from " + from + " to " + to + ". The last committed cycle is "
                + last + ".";
        if (held.isEmpty()) {
            return what + " The journals have no past cycles." + KEEP_MORE;
        }
        PastCycle oldest = held.get(held.firstKey());
        PastCycle newest = held.get(held.lastKey());
        return what + " Available are cycles " + oldest.number() + " (" + time(oldest) + ") to " + newest.number()
                + " (" + time(newest) + ")." + KEEP_MORE;
    }

    private static String time(PastCycle cycle) {
        return Instant.ofEpochMilli(cycle.timeMs()).toString();
    }

    private PastCycle first() {
        return cycles.get(0);
    }

    private PastCycle last() {
        return cycles.get(cycles.size() - 1);
    }

    long points() {
        return cycles.stream().mapToLong(PastCycle::points).sum();
    }

    /**
     * Splits the cycles into requests within the size limit of a znode; their ids begin with the given id and are in
     * order.
     */
    List<ReplayRequest> requests(String id, String pipeline) {
        List<ReplayRequest> requests = new ArrayList<>();
        for (int from = 0; from < cycles.size(); from += ReplayRequest.CYCLES_MAX) {
            int to = Math.min(cycles.size(), from + ReplayRequest.CYCLES_MAX);
            requests.add(new ReplayRequest(
                    String.format("%s-%03d", id, requests.size() + 1), pipeline, cycles.subList(from, to)));
        }
        if (requests.size() > ReplayRequest.REQUESTS_MAX) {
            throw new ChimeraException(
                    Category.ERROR,
                    cycles.size() + " cycles are too many for one replay; the limit is "
                            + ReplayRequest.REQUESTS_MAX * ReplayRequest.CYCLES_MAX
                            + ". Split the range, and start the second part after the first (--wait).");
        }
        return requests;
    }

    /** Describes the missing cycles; empty if none is missing. */
    String missingText() {
        if (missing.isEmpty()) {
            return "";
        }
        List<String> spans = missing.stream()
                .map(span ->
                        span.first() == span.last() ? Long.toString(span.first()) : span.first() + "-" + span.last())
                .toList();
        return "No journal holds " + String.join(", ", spans) + " any more." + KEEP_MORE;
    }

    void print(PrintWriter out) {
        out.printf(
                "%d cycles, %d (%s) to %d (%s).%n",
                cycles.size(), first().number(), time(first()), last().number(), time(last()));
        out.printf("%d points%s.%n", points(), bytes < 0 ? "" : ", about " + bytes / 1024 + " KiB in a journal");
        out.printf("Pipelines: %s.%n", String.join(", ", pipelines));
        if (isOldestHeld) {
            out.printf(
                    "Cycle %d is the oldest available cycle; earlier cycles of the range are gone.%n",
                    first().number());
        }
        if (!missing.isEmpty()) {
            out.println(missingText());
        }
    }

    /** Returns the plan as a map for JSON. */
    Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("cycles", cycles.size());
        figures.put("first", first().number());
        figures.put("last", last().number());
        figures.put("first_time", time(first()));
        figures.put("last_time", time(last()));
        figures.put("points", points());
        figures.put("bytes", bytes);
        figures.put("pipelines", pipelines);
        figures.put(
                "missing",
                missing.stream().map(span -> List.of(span.first(), span.last())).toList());
        figures.put("begins_at_oldest_held", isOldestHeld);
        return figures;
    }
}
