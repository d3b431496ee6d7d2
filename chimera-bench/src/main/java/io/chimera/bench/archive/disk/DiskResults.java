package io.chimera.bench.archive.disk;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What was measured of the disk. */
public final class DiskResults {
    private final Map<String, List<Pace>> paces = new LinkedHashMap<>();
    private final Map<String, List<Double>> means = new LinkedHashMap<>();

    /** Holds nothing yet. */
    public DiskResults() {}

    /** Adds a measurement; of several of the same, the one with the middle mean counts. */
    void add(Pace pace) {
        paces.computeIfAbsent(pace.who(), who -> new ArrayList<>()).add(pace);
    }

    /** Adds somebody of whom the mean is known alone, MiB per second; of several, the middle one counts. */
    void add(String who, double meanMib) {
        means.computeIfAbsent(who, each -> new ArrayList<>()).add(meanMib);
    }

    /** Says what is left out, and what to do; also where nothing but the report is wanted. */
    void leaveOut(String what, String cause) {
        System.err.println(what + " is left out: " + cause + ".");
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
