package io.chimera.bench.archive.disk;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What was measured of the disk. */
public final class DiskResults {
    private final Map<String, Pace> paces = new LinkedHashMap<>();
    private final Map<String, Double> means = new LinkedHashMap<>();

    /** Holds nothing yet. */
    public DiskResults() {}

    void add(Pace pace) {
        paces.put(pace.who(), pace);
    }

    /** Adds somebody of whom the mean is known alone, MiB per second. */
    void add(String who, double meanMib) {
        means.put(who, meanMib);
    }

    /** Says what is left out, and what to do; also where nothing but the report is wanted. */
    void leaveOut(String what, String cause) {
        System.err.println(what + " is left out: " + cause + ".");
    }

    Map<String, Pace> paces() {
        return paces;
    }

    Map<String, Double> means() {
        return means;
    }

    Optional<Pace> pace(String who) {
        return Optional.ofNullable(paces.get(who));
    }

    Optional<Double> mean(String who) {
        Optional<Double> alone = Optional.ofNullable(means.get(who));
        return alone.isPresent() ? alone : pace(who).map(Pace::meanMib);
    }
}
