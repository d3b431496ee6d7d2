package io.chimera.faults.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Summary of many seeds. One thread at a time. */
final class SimReport {
    private final Map<String, Integer> faults = new TreeMap<>();
    private final List<SeedResult> bad = new ArrayList<>();
    private long seeds;
    private long events;
    private long virtualMs;
    private long points;
    private long acknowledged;
    private long cycles;

    void add(SeedResult result) {
        seeds++;
        events += result.events();
        virtualMs += result.virtualMs();
        points += result.points();
        acknowledged += result.acknowledged();
        cycles += result.cycles();
        result.faults().forEach((label, count) -> faults.merge(label, count, Integer::sum));
        if (!result.isSound()) {
            bad.add(result);
        }
    }

    long seeds() {
        return seeds;
    }

    int bad() {
        return bad.size();
    }

    /** Returns the number of faults by label. */
    Map<String, Integer> faults() {
        return faults;
    }

    /** Returns the figures as a map, for a JSON object. */
    Map<String, Object> asMap(long elapsedMs) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("seeds", seeds);
        map.put("bad", bad.stream().map(SeedResult::seed).sorted().toList());
        map.put("events", events);
        map.put("virtualSeconds", virtualMs / 1_000);
        map.put("points", points);
        map.put("acknowledged", acknowledged);
        map.put("cycles", cycles);
        map.put("elapsedSeconds", elapsedMs / 1e3);
        map.put("faults", faults);
        return map;
    }

    /** Returns the figures as text. */
    String text(long elapsedMs) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                "%d seeds, %d bad; %d events, %d s of cluster time in %.1f s; %d points sent, %d acknowledged, %d"
                        + " cycles%n",
                seeds, bad.size(), events, virtualMs / 1_000, elapsedMs / 1e3, points, acknowledged, cycles));
        faults.forEach((label, count) -> text.append(String.format("  %-20s %8d%n", label, count)));
        return text.toString();
    }
}
