package io.chimera.bench.archive.disk;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Results of the disk measurements. */
public final class DiskResults {
    private final Map<String, List<Pace>> paces = new LinkedHashMap<>();
    private final Map<String, List<Double>> means = new LinkedHashMap<>();

    /** Creates empty results. */
    public DiskResults() {}

    /** Adds a measurement; of several rounds the round with the median mean counts. */
    void add(Pace pace) {
        paces.computeIfAbsent(pace.who(), who -> new ArrayList<>()).add(pace);
    }

    /** Adds a writer with only a mean in MiB/s; of several rounds the median counts. */
    void add(String who, double meanMib) {
        means.computeIfAbsent(who, each -> new ArrayList<>()).add(meanMib);
    }

    /** Reports a skipped measurement and the remedy on standard error, even when only the report is wanted. */
    void leaveOut(String what, String cause) {
        System.err.println(what + " was skipped: " + cause + ".");
    }

    Map<String, Pace> paces() {
        return middles(paces, Comparator.comparingDouble(Pace::meanMib));
    }

    Map<String, Double> means() {
        return middles(means, Comparator.naturalOrder());
    }

    private static <T> Map<String, T> middles(Map<String, List<T>> all, Comparator<T> order) {
        Map<String, T> middles = new LinkedHashMap<>();
        all.forEach((who, each) ->
                middles.put(who, each.stream().sorted(order).toList().get((each.size() - 1) / 2)));
        return middles;
    }

    Optional<Pace> pace(String who) {
        return Optional.ofNullable(paces().get(who));
    }

    Optional<Double> mean(String who) {
        Optional<Double> alone = Optional.ofNullable(means().get(who));
        return alone.isPresent() ? alone : pace(who).map(Pace::meanMib);
    }
}
